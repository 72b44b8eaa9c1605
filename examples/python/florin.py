"""Florin for a shop's server in Python: one file, nothing but the standard library, Python 3.8 or newer.

    florin = Florin(os.environ["FLORIN_API_KEY"], "https://pay.shop.example")
    order = florin.orders.create({"amount_usd": 49.9, "external_id": "A-1001"})
    print(order["checkout_url"])

    event = verify_webhook(raw_body, headers, os.environ["FLORIN_WEBHOOK_SECRET"])
"""

import hashlib
import hmac
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

TOLERANCE_S = 300
LONGEST_WAIT_S = 60


class FlorinError(Exception):
    """What the service refused: go by `code`, which docs/errors explains."""

    def __init__(self, status, code, message, param=None, request_id=None, retry_after=None):
        super().__init__(message)
        self.status, self.code, self.param = status, code, param
        self.request_id, self.retry_after = request_id, retry_after


class WebhookVerificationError(Exception):
    """The request is not a webhook of Florin's, or not for this secret. Answer 400."""


def verify_webhook(raw_body, headers, secret, tolerance=TOLERANCE_S, now=None):
    """Checks the signature and returns the event. Whatever a request holds, it returns an event or raises this one error.

    raw_body: the bytes as they arrived, never the parsed object. headers: a mapping, or pairs as in WSGI and ASGI.
    secret: one, or a list while one is being replaced. now: unix seconds, the time of arrival where a queue was between
    the request and this check; the clock of this machine where left out.
    """
    if not isinstance(raw_body, (bytes, bytearray)):
        raise WebhookVerificationError("Pass the body as the bytes that arrived.")
    header = _signature_of(headers)
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    given = [value.lower() for name, _, value in parts if name == "v1" and re.fullmatch("[0-9a-fA-F]{64}", value)]
    if len(times) != 1 or not re.fullmatch("[0-9]{1,15}", times[0]) or not given:
        raise WebhookVerificationError("X-Service-Signature is missing or not of the form t=…,v1=….")
    secrets = list(secret) if isinstance(secret, (list, tuple)) else [secret]
    if not secrets or not all(isinstance(one, str) and one for one in secrets):
        raise WebhookVerificationError("No webhook secret is set.")
    signed = times[0].encode() + b"." + bytes(raw_body)
    expected = [hmac.new(one.encode("utf-8", "surrogateescape"), signed, hashlib.sha256).hexdigest().encode() for one in secrets]
    # All are compared, each in constant time.
    fits = [hmac.compare_digest(one, other.encode()) for one in expected for other in given]
    if not any(fits):
        raise WebhookVerificationError("No signature fits: another secret, or not the bytes that arrived.")
    if abs((time.time() if now is None else now) - int(times[0])) > tolerance:
        raise WebhookVerificationError("The signature is too old, or the clock of this machine is off.")
    try:
        event = json.loads(bytes(raw_body).decode("utf-8"))
        if isinstance(event["id"], str) and isinstance(event["event"], str) and isinstance(event["order"]["order_no"], str):
            return event
    except (ValueError, LookupError, TypeError, RecursionError):
        pass
    raise WebhookVerificationError("The signature fits, but the body is no event.")


def _signature_of(headers):
    """The value of X-Service-Signature; empty where there is none, or nothing that could be one."""
    try:
        pairs = list(headers.items() if hasattr(headers, "items") else headers)
        for name, value in pairs:
            name, value = (one.decode("latin-1") if isinstance(one, bytes) else one for one in (name, value))
            # WSGI writes its headers as HTTP_X_SERVICE_SIGNATURE.
            if isinstance(name, str) and re.sub("^http-", "", name.lower().replace("_", "-")) == "x-service-signature":
                return ",".join(value) if isinstance(value, (list, tuple)) else value if isinstance(value, str) else ""
    except (TypeError, ValueError):
        pass
    return ""


class Florin:
    def __init__(self, api_key, base_url, timeout=30, retries=3):
        if not api_key:
            raise ValueError("api_key is empty")
        self._key, self._base = api_key, base_url.rstrip("/")
        self._timeout, self._retries = timeout, retries
        self.orders, self.events, self.deliveries = Orders(self), Events(self), Deliveries(self)
        self.webhook_endpoints, self.chains = WebhookEndpoints(self), Chains(self)
        self.payment_links, self.invoices, self.test = PaymentLinks(self), Invoices(self), TestOrders(self)

    def reconciliation(self, filters=None):
        return self.call("GET", "/v1/reconciliation", query=filters)

    def __repr__(self):
        return f"Florin({self._base!r})"

    def call(self, method, path, body=None, query=None, idempotency_key=None, repeatable=None):
        """One call of /v1. Sent again when that does no more than sending it once."""
        safe = method == "GET" or idempotency_key is not None if repeatable is None else repeatable
        for made in range(self._retries + 1):
            try:
                return json.loads(self._send(method, path, body, query, idempotency_key).read() or b"null")
            except urllib.error.HTTPError as answer:
                error = _error_of(answer)
                # Refused before anything was done, or known to be the same when done twice.
                again = error.status == 429 or error.code == "idempotency_in_progress"
                again = again or (error.status == 503 and error.code != "unexpected_answer")
                again = again or (safe and error.status in (502, 503, 504))
            except (urllib.error.URLError, TimeoutError, ConnectionError) as cause:
                error = FlorinError(0, "connection_failed", f"{self._base} cannot be reached: {cause}")
                again = safe
            wait = (error.retry_after or 0) + min(0.25 * 2**made, 8) * random.uniform(0.5, 1)
            if not again or made == self._retries or wait > LONGEST_WAIT_S:
                raise error
            time.sleep(wait)

    def pages(self, path, query=None):
        """Every item of a list, page after page."""
        query = dict(query or {})
        while True:
            page = self.call("GET", path, query=query)
            yield from page["data"]
            if not page["has_more"]:
                return
            query["after" if path == "/v1/events" else "cursor"] = page["next_cursor"]

    def stream(self, path, after=None):
        """Server-sent events as they come; ends when the connection does."""
        query = {} if after is None else {"after": after}
        with self._send("GET", path, None, query, None) as answer:
            for line in answer:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])

    def _send(self, method, path, body, query, idempotency_key):
        url = self._base + path
        if query:
            url += "?" + urllib.parse.urlencode({k: _text(v) for k, v in query.items() if v is not None}, doseq=True)
        headers = {"X-API-Key": self._key, "Accept": "application/json", "User-Agent": "florin-python"}
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        return _opener.open(request, timeout=self._timeout)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key elsewhere."""

    def redirect_request(self, *_args):
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def _text(value):
    return {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value


def _error_of(answer):
    try:
        said = json.loads(answer.read())["error"]
    except (ValueError, KeyError, TypeError):
        said = {"code": "unexpected_answer", "message": f"The answer {answer.code} is not Florin's: look at base_url."}
    after = answer.headers.get("Retry-After", "")
    return FlorinError(
        answer.code,
        said["code"],
        said["message"],
        said.get("param"),
        said.get("request_id"),
        int(after) if after.isdigit() else None,
    )


def _id(value):
    """One id in a path; anything else could name another call."""
    if isinstance(value, str) and value.replace("_", "").replace("-", "").isalnum() and value.isascii():
        return value
    raise ValueError(f"{value!r} is not an id such as the service gives out")


class _Part:
    def __init__(self, florin):
        self._florin, self._call, self._pages = florin, florin.call, florin.pages


class Orders(_Part):
    def create(self, params, idempotency_key=None):
        """Every try carries the same key, so one order comes of it. Pass your own to be as safe over a restart."""
        return self._call("POST", "/v1/orders", params, idempotency_key=idempotency_key or str(uuid.uuid4()))

    def get(self, order_no):
        return self._call("GET", f"/v1/orders/{_id(order_no)}")

    def list(self, filters=None):
        return self._pages("/v1/orders", filters)

    def cancel(self, order_no):
        return self._call("POST", f"/v1/orders/{_id(order_no)}/cancel", {}, repeatable=True)

    def refund(self, order_no, params=None):
        return self._call("POST", f"/v1/orders/{_id(order_no)}/refund", params or {})

    def look_again(self, order_no):
        return self._call("POST", f"/v1/orders/{_id(order_no)}/look-again", {}, repeatable=True)

    def events(self, order_no):
        return self._pages(f"/v1/orders/{_id(order_no)}/events")

    def on_chain(self, order_no):
        return self._call("GET", f"/v1/orders/{_id(order_no)}/on-chain")

    def refund_to_sign(self, order_no, refund_id):
        return self._call("POST", f"/v1/orders/{_id(order_no)}/refunds/{_id(refund_id)}/psbt", {}, repeatable=True)

    def create_merchant_refund(self, order_no, params=None):
        return self._call("POST", f"/v1/orders/{_id(order_no)}/merchant_refunds", params or {})

    def merchant_refunds(self, order_no):
        return self._pages(f"/v1/orders/{_id(order_no)}/merchant_refunds")

    def merchant_refund(self, order_no, refund_id):
        return self._call("GET", f"/v1/orders/{_id(order_no)}/merchant_refunds/{_id(refund_id)}")

    def name_refund_transaction(self, order_no, refund_id, tx_hash):
        path = f"/v1/orders/{_id(order_no)}/merchant_refunds/{_id(refund_id)}/transaction"
        return self._call("POST", path, {"tx_hash": tx_hash}, repeatable=True)

    def cancel_merchant_refund(self, order_no, refund_id):
        path = f"/v1/orders/{_id(order_no)}/merchant_refunds/{_id(refund_id)}/cancel"
        return self._call("POST", path, {}, repeatable=True)


class Events(_Part):
    def list(self, filters=None):
        return self._pages("/v1/events", filters)

    def stream(self, after=None):
        return self._florin.stream("/v1/events/stream", after)


class Deliveries(_Part):
    def list(self, filters=None):
        return self._pages("/v1/deliveries", filters)

    def get(self, delivery_id):
        return self._call("GET", f"/v1/deliveries/{_id(delivery_id)}")

    def resend(self, delivery_id):
        return self._call("POST", f"/v1/deliveries/{_id(delivery_id)}/resend", {})


class WebhookEndpoints(_Part):
    def create(self, params):
        return self._call("POST", "/v1/webhook_endpoints", params)

    def get(self, endpoint_id):
        return self._call("GET", f"/v1/webhook_endpoints/{_id(endpoint_id)}")

    def list(self, filters=None):
        return self._pages("/v1/webhook_endpoints", filters)

    def update(self, endpoint_id, params):
        return self._call("PATCH", f"/v1/webhook_endpoints/{_id(endpoint_id)}", params)

    def delete(self, endpoint_id):
        return self._call("DELETE", f"/v1/webhook_endpoints/{_id(endpoint_id)}")

    def rotate_secret(self, endpoint_id, params=None):
        return self._call("POST", f"/v1/webhook_endpoints/{_id(endpoint_id)}/secret/rotate", params or {})

    def test(self, endpoint_id, params=None):
        return self._call("POST", f"/v1/webhook_endpoints/{_id(endpoint_id)}/test", params or {})


class Chains(_Part):
    def list(self):
        return self._pages("/v1/chains")

    def third_party(self):
        return self._pages("/v1/third-party")


class PaymentLinks(_Part):
    def create(self, params, idempotency_key=None):
        return self._call("POST", "/v1/payment_links", params, idempotency_key=idempotency_key or str(uuid.uuid4()))

    def get(self, link_id):
        return self._call("GET", f"/v1/payment_links/{_id(link_id)}")

    def list(self, filters=None):
        return self._pages("/v1/payment_links", filters)

    def change(self, link_id, params):
        return self._call("POST", f"/v1/payment_links/{_id(link_id)}", params)


class Invoices(_Part):
    def create(self, params, idempotency_key=None):
        return self._call("POST", "/v1/invoices", params, idempotency_key=idempotency_key or str(uuid.uuid4()))

    def get(self, invoice_id):
        return self._call("GET", f"/v1/invoices/{_id(invoice_id)}")

    def list(self, filters=None):
        return self._pages("/v1/invoices", filters)

    def send(self, invoice_id):
        return self._call("POST", f"/v1/invoices/{_id(invoice_id)}/send", {})

    def void(self, invoice_id):
        return self._call("POST", f"/v1/invoices/{_id(invoice_id)}/void", {})


class TestOrders(_Part):
    def simulate(self, order_no, params):
        return self._call("POST", f"/v1/test/orders/{_id(order_no)}/simulate", params)
