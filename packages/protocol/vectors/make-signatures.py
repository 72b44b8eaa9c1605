#!/usr/bin/env python3
"""Writes signatures.json: what a signature is, said by tools that share no code with Florin.

Every digest is computed twice, by Python's hmac module and by the openssl command line, and the file is only
written when both agree. Run it again with: python3 packages/protocol/vectors/make-signatures.py
"""
import base64
import hashlib
import hmac
import json
import pathlib
import subprocess

T = 1760000000
NEW = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV"
OLD = "whsec_abcdefghijklmnopqrstuvwxyz012345"
EVENT = {
    "id": "evt_01K7Q4X2M3N4P5Q6R7S8T9V0W1",
    "event": "order.success",
    "created_at": "2025-10-09T08:53:20.000Z",
    "order": {"order_no": "ord_01K7Q4X2M3N4P5Q6R7S8T9V0W1", "external_id": "A-1001", "status": "success",
              "amount_usd": 49.9, "amount_out": "49900000", "settle_tx_hash": "0x" + "ab" * 32},
}
COMPACT = json.dumps(EVENT, separators=(",", ":")).encode()


def by_python(secret: str, signed: bytes) -> str:
    return hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def by_openssl(secret: str, signed: bytes) -> str:
    command = ["openssl", "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:" + secret.encode().hex()]
    return subprocess.run(command, input=signed, capture_output=True, check=True).stdout.decode().split()[-1]


def digest(secret: str, t: int, body: bytes) -> str:
    signed = str(t).encode() + b"." + body
    one, other = by_python(secret, signed), by_openssl(secret, signed)
    assert one == other, (secret, one, other)
    return one


def header(secrets, t, body: bytes) -> str:
    return f"t={t}" + "".join(",v1=" + digest(secret, t, body) for secret in secrets)


def signed(name, body: bytes, secrets=(NEW,), t=T):
    return {"name": name, "secrets": list(secrets), "timestamp": t,
            "body_base64": base64.b64encode(body).decode(), "header": header(secrets, t, body)}


def checked(name, reason, value, body: bytes = COMPACT, secret=NEW, now=T):
    """`reason` is null where the signature is to be accepted."""
    return {"name": name, "header": value, "body_base64": base64.b64encode(body).decode(),
            "secrets": [secret] if isinstance(secret, str) else secret, "now": now, "reason": reason}


good = header([NEW], T, COMPACT)
v1 = digest(NEW, T, COMPACT)
spaced = json.dumps(EVENT).encode()

vectors = {
    "about": "Every digest was computed by Python's hmac and by openssl dgst -mac HMAC, which agreed. See make-signatures.py.",
    "made_with": ["python hmac", "openssl dgst"],
    "sign": [
        signed("a compact JSON body", COMPACT),
        signed("an empty body", b""),
        signed("accents, another script and an emoji in UTF-8",
               '{"title":"Crème brûlée, 日本語, Ελληνικά, \U0001F9C1 e\u0301"}'.encode()),
        signed("escaped characters stay as they were written", b'{"title":"Cr\\u00e8me \\/ br\\u00FBl\\u00e9e"}'),
        signed("indented with tabs, CRLF line ends and a newline at the end", b'{\r\n\t"a" : 1 ,\r\n\t"b":[ ]\r\n}\r\n\n'),
        signed("a byte order mark and spaces around the text", b'\xef\xbb\xbf  {"a":1}  '),
        signed("a no-break space and a line separator inside", '{"a":"\u00a0\u2028"}'.encode()),
        signed("bytes that are no UTF-8, with NUL", bytes([0, 255, 254, 0x80, 0xC3, 0x28, 0])),
        signed("a body that begins like a time and a dot", b"1760000001.{}"),
        signed("4 KiB of text", b'{"a":"' + b"x" * 4088 + b'"}'),
        signed("two secrets, newest first", COMPACT, (NEW, OLD)),
        signed("two secrets the other way round", COMPACT, (OLD, NEW)),
        signed("time zero", COMPACT, (NEW,), 0),
        signed("a time past 2038", COMPACT, (NEW,), 4102444800),
        signed("a secret longer than a hash block", COMPACT, ("whsec_" + "k" * 120,)),
        signed("a secret with characters outside ASCII", COMPACT, ("whsec_clé_鍵",)),
    ],
    "check": [
        checked("as it was made", None, good),
        checked("exactly 300 s old", None, good, now=T + 300),
        checked("301 s old", "stale", good, now=T + 301),
        checked("exactly 300 s ahead", None, good, now=T - 300),
        checked("301 s ahead", "future", good, now=T - 301),
        checked("t in milliseconds", "future", header([NEW], T * 1000, COMPACT)),
        checked("digits in upper case", None, f"t={T},v1={v1.upper()}"),
        checked("a space after the comma", None, f"t={T}, v1={v1}"),
        checked("v1 before t", None, f"v1={v1},t={T}"),
        checked("schemes of the future", None, f"t={T},v2=zzz,v0={'0' * 64},v1={v1},flag"),
        checked("the old secret while both sign", None, header([NEW, OLD], T, COMPACT), secret=OLD),
        checked("both secrets held while only the old one signs", None, header([OLD], T, COMPACT), secret=[NEW, OLD]),
        checked("one v1 of the wrong length beside a good one", None, f"t={T},v1=abcd,v1={v1}"),
        checked("another secret", "mismatch", good, secret=OLD),
        checked("one character of the body changed", "mismatch", good, COMPACT.replace(b"49900000", b"99900000")),
        checked("the time changed", "mismatch", good.replace(str(T), str(T + 1))),
        checked("one digit of the digest changed", "mismatch", f"t={T},v1={'0' if v1[0] != '0' else '1'}{v1[1:]}"),
        checked("an old signature that does not fit either", "mismatch", good, secret=OLD, now=T + 86400),
        checked("no header", "missing_header", None),
        checked("an empty header", "missing_header", "  "),
        checked("no t", "malformed_header", f"v1={v1}"),
        checked("two t", "malformed_header", f"t={T},t={T},v1={v1}"),
        checked("t that is no number", "malformed_header", f"t=now,v1={v1}"),
        checked("a negative t", "malformed_header", f"t=-1,v1={v1}"),
        checked("the header cut off", "malformed_header", good[:-3]),
        checked("v1 in base64", "malformed_header", f"t={T},v1=" + base64.b64encode(bytes.fromhex(v1)).decode()),
        checked("another service's header", "malformed_header", f"sha256={v1}"),
        checked("the name of the header copied along", "malformed_header", f"X-Service-Signature: {good}"),
        checked("only schemes of the future", "no_v1", f"t={T},v2={v1}"),
        checked("no secret", "secret_wrong_kind", good, secret=[]),
        checked("an empty secret", "secret_wrong_kind", good, secret=""),
        checked("an API key in place of the secret", "secret_wrong_kind", good, secret="florin_test_" + "a" * 38),
        checked("a secret in quotation marks", "secret_wrong_kind", good, secret=f'"{NEW}"'),
        checked("a secret with a newline", "secret_whitespace", good, secret=NEW + "\n"),
        checked("an object turned into text", "body_parsed", good, b"[object Object]"),
    ],
    "explain": [
        checked("a newline was added", "body_reserialized:newline_added", good, COMPACT + b"\n"),
        checked("the newline at the end was lost", "body_reserialized:newline_removed", header([NEW], T, COMPACT + b"\n")),
        checked("spaces were added", "body_reserialized:space_added", good, b" " + COMPACT + b"  "),
        checked("a byte order mark was added", "body_reserialized:bom_added", good, b"\xef\xbb\xbf" + COMPACT),
        checked("the byte order mark was lost", "body_reserialized:bom_removed",
                header([NEW], T, b"\xef\xbb\xbf" + COMPACT)),
        checked("line ends became CRLF", "body_reserialized:crlf_added", header([NEW], T, b'{\n"a":1\n}'), b'{\r\n"a":1\r\n}'),
        checked("line ends became LF", "body_reserialized:crlf_removed", header([NEW], T, b'{\r\n"a":1\r\n}'), b'{\n"a":1\n}'),
        checked("json.dumps with its usual spaces", "body_reserialized:json_reformatted", good, spaced),
        checked("json.dumps with an indent", "body_reserialized:json_reformatted", good, json.dumps(EVENT, indent=3).encode()),
        checked("characters became escapes", "body_reserialized:json_reformatted",
                header([NEW], T, '{"a":"é/"}'.encode()), b'{"a":"\\u00e9\\/"}'),
        checked("a body sent with spaces was made compact", "body_reserialized:json_reformatted", header([NEW], T, spaced)),
        checked("the body inside a JSON string", "body_reserialized:json_string", good, json.dumps(COMPACT.decode()).encode()),
        checked("a Buffer turned into JSON", "body_reserialized:buffer_json", good,
                json.dumps({"type": "Buffer", "data": list(COMPACT)}).encode()),
        checked("UTF-8 read as Latin-1", "body_reserialized:latin1",
                header([NEW], T, "é".encode()), "é".encode().decode("latin-1").encode()),
        checked("the right secret with white space", "secret_whitespace", good, secret=f" {NEW}\n"),
        checked("the body alone is signed", "mismatch", f"t={T},v1=" + by_python(NEW, COMPACT)),
        checked("joined by a comma", "mismatch", f"t={T},v1=" + by_python(NEW, f"{T},".encode() + COMPACT)),
        checked("keyed without the prefix", "mismatch", f"t={T},v1=" + digest(NEW[6:], T, COMPACT)),
        checked("an empty body where one was sent", "mismatch", good, b""),
        checked("genuine but old", "stale", good, now=T + 86400),
    ],
}

path = pathlib.Path(__file__).with_name("signatures.json")
path.write_text(json.dumps(vectors, indent=1, ensure_ascii=True) + "\n")
print(f"{path.name}: {len(vectors['sign'])} to sign, {len(vectors['check'])} to check, {len(vectors['explain'])} to explain")
