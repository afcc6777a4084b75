"""What the OpenAPI document promises, tried out: no answer is the server's fault, and all are as described."""

import schemathesis
from hypothesis import HealthCheck, settings

from naturalproofs.apps.web.app import create_app
from support.web_server import primer_site

schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", create_app(primer_site()))


@schema.parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_verb_keeps_its_promise(case: "schemathesis.Case") -> None:
    case.call_and_validate()
