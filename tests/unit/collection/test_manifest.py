"""The manifests of the documentation: what Ray's own schema says of them, and that they name what there is."""

import importlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray.serve", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")
yaml = pytest.importorskip("yaml", reason="comes with Ray")

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "run-on-a-cluster.md"


def manifests() -> dict[str, Any]:
    blocks = [part.partition("```")[0] for part in PAGE.read_text().split("```yaml\n")[1:]]
    return {found["kind"]: found for found in map(yaml.safe_load, blocks)}


def test_the_service_has_a_config_that_serve_takes() -> None:
    from ray.serve.schema import ServeDeploySchema

    config = ServeDeploySchema.model_validate(yaml.safe_load(manifests()["RayService"]["spec"]["serveConfigV2"]))
    (application,) = config.applications
    assert application.name == "naturalproofs"
    module, _, name = application.import_path.partition(":")
    built = getattr(importlib.import_module(module), name)(application.args)
    assert [one.name for one in application.deployments] == [built._bound_deployment.name]


def test_both_manifests_are_of_one_version_of_kuberay() -> None:
    found = manifests()
    assert {one["apiVersion"] for one in found.values()} == {"ray.io/v1"}
    assert set(found) == {"RayCluster", "RayService"}
    groups = found["RayCluster"]["spec"]["workerGroupSpecs"]
    assert all(one["minReplicas"] <= one["replicas"] <= one["maxReplicas"] for one in groups)
