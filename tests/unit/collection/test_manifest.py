"""The manifests of the documentation: what Ray's and KubeRay's types say of them, and that they name what there is."""

import importlib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray.serve", reason="needs the extra 'scale': pip install 'naturalproofs[scale]'")

from pydantic import BaseModel, ConfigDict, ValidationError

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


class Part(BaseModel):
    """A part of a manifest; as on a server of Kubernetes no text stands for a number, and no other field is known."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Resources(Part):
    requests: dict[str, str]
    limits: dict[str, str]


class Mount(Part):
    name: str
    mountPath: str  # noqa: N815


class Container(Part):
    name: str
    image: str
    resources: Resources
    volumeMounts: list[Mount]  # noqa: N815


class Claim(Part):
    claimName: str  # noqa: N815


class Volume(Part):
    name: str
    persistentVolumeClaim: Claim  # noqa: N815


class Pod(Part):
    containers: list[Container]
    volumes: list[Volume]


class Template(Part):
    spec: Pod


class HeadGroup(Part):
    rayStartParams: dict[str, str]  # noqa: N815
    template: Template


class WorkerGroup(HeadGroup):
    groupName: str  # noqa: N815
    replicas: int
    minReplicas: int  # noqa: N815
    maxReplicas: int  # noqa: N815


class ClusterSpec(Part):
    """Those fields of KubeRay's `RayClusterSpec` (v1) that the manifest uses."""

    rayVersion: str  # noqa: N815
    enableInTreeAutoscaling: bool  # noqa: N815
    headGroupSpec: HeadGroup  # noqa: N815
    workerGroupSpecs: list[WorkerGroup]  # noqa: N815


def test_the_cluster_has_the_fields_of_kuberay() -> None:
    found = manifests()
    assert {one["apiVersion"] for one in found.values()} == {"ray.io/v1"}
    assert set(found) == {"RayCluster", "RayService"}
    assert set(found["RayService"]["spec"]) == {"serveConfigV2"}
    spec = ClusterSpec.model_validate(found["RayCluster"]["spec"])
    for group in (spec.headGroupSpec, *spec.workerGroupSpecs):
        pod = group.template.spec
        mounted = {mount.name for one in pod.containers for mount in one.volumeMounts}
        assert mounted == {volume.name for volume in pod.volumes}
    assert all(one.minReplicas <= one.replicas <= one.maxReplicas for one in spec.workerGroupSpecs)
    with pytest.raises(ValidationError, match="string"):
        ClusterSpec.model_validate(
            found["RayCluster"]["spec"] | {"headGroupSpec": {"rayStartParams": {"num-cpus": 0}, "template": {}}}
        )
