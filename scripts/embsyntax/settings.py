"""Check the config against its schema before anything runs; needs jsonschema (controller only)."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from embsyntax.jobs import InputError

MAX_ERRORS = 10
"""How many faults one message lists."""

NAME_RULE = "lower-case letters, digits and underscores, a letter first"
"""What the pattern of names in the schema means."""


def convert_texts(value: Any, schema: Mapping[str, Any]) -> Any:
    """Give texts the type that the schema asks for, where they can have it.

    Snakemake takes a nested value of `--config` apart as text: `scores={seed: 1}` comes as `"1"`.

    Args:
        value: the config or a part of it.
        schema: the part of the schema that describes it.

    Returns:
        A copy of `value`; what cannot be converted stays as it is, for `validate_config` to refuse.
    """
    if isinstance(value, Mapping):
        known = schema.get("properties", {})
        other = schema.get("additionalProperties")
        other = other if isinstance(other, Mapping) else {}
        return {key: convert_texts(part, known.get(key, other)) for key, part in value.items()}
    if isinstance(value, str) and schema.get("type") in ("integer", "number", "boolean"):
        try:
            converted = yaml.safe_load(value)
        except yaml.YAMLError:
            return value
        return converted if isinstance(converted, int | float) else value
    return value


def read_schema(path: str | Path) -> dict[str, Any]:
    """Read a JSON schema that is written as YAML."""
    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


def validate_config(config: Mapping[str, Any], schema_path: str | Path) -> None:
    """Refuse a config that the schema does not allow.

    Args:
        config: the merged config (config/config.yaml, overlays, `--config`).
        schema_path: a JSON schema in YAML.

    Raises:
        InputError: naming each key, its value, and what is allowed.
    """
    schema = read_schema(schema_path)
    plain = json.loads(json.dumps(config))
    validator = jsonschema.Draft202012Validator(schema)
    faults = sorted(validator.iter_errors(plain), key=lambda fault: [str(p) for p in fault.path])
    if not faults:
        return
    words = list(dict.fromkeys(describe_fault(fault) for fault in faults))
    lines = words[:MAX_ERRORS]
    if len(words) > MAX_ERRORS:
        lines.append(f"and {len(words) - MAX_ERRORS} more")
    raise InputError(
        "the config is not valid: "
        + "; ".join(lines)
        + ". Every key is explained in config/README.md; defaults stand in config/config.yaml."
    )


def describe_fault(fault: jsonschema.ValidationError) -> str:
    """Say one fault in words: key, value, what is allowed."""
    key = "/".join(str(part) for part in fault.path) or "(top level)"
    value = json.dumps(fault.instance, ensure_ascii=False)
    if len(value) > 80:
        value = value[:77] + "..."
    meaning = fault.schema.get("description", "") if isinstance(fault.schema, Mapping) else ""
    if fault.validator == "additionalProperties":
        known = sorted(fault.schema.get("properties", {}))
        unknown = sorted(set(fault.instance) - set(known))
        parts = []
        for name in unknown:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f" (did you mean '{near[0]}'?)" if near else ""
            value = json.dumps(fault.instance[name], ensure_ascii=False)
            parts.append(f"'{name}' = {value}{hint}")
        return f"unknown key under {key}: {', '.join(parts)}; allowed: {', '.join(known)}"
    if "propertyNames" in fault.absolute_schema_path:
        return f"name {value} under {key}; allowed: {NAME_RULE}"
    if fault.validator == "required":
        missing = sorted(set(fault.validator_value) - set(fault.instance))
        return f"key missing under {key}: {', '.join(missing)}"
    allowed = {
        "enum": lambda v: "one of " + ", ".join(map(str, v)),
        "type": lambda v: f"a value of type {v if isinstance(v, str) else ' or '.join(v)}",
        "minimum": lambda v: f"at least {v}",
        "exclusiveMinimum": lambda v: f"more than {v}",
        "maximum": lambda v: f"at most {v}",
        "exclusiveMaximum": lambda v: f"less than {v}",
        "pattern": lambda v: f"text that matches {v}",
        "minItems": lambda v: f"at least {v} item(s)",
        "uniqueItems": lambda v: "each item once",
    }.get(fault.validator)
    words = allowed(fault.validator_value) if allowed else fault.message
    return f"{key} = {value}; allowed: {words}" + (f" ({meaning})" if meaning else "")
