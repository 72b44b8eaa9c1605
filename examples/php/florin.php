<?php
// Florin for a shop's server in PHP: one file, no extension beyond what php-cli brings, PHP 8.1 or newer.
//
//   $florin = new Florin(getenv('FLORIN_API_KEY'), 'https://pay.shop.example');
//   $order = $florin->orders->create(['amount_usd' => 49.9, 'external_id' => 'A-1001']);
//   header('Location: ' . $order['checkout_url']);
//
//   $event = verify_webhook(file_get_contents('php://input'), getallheaders(), getenv('FLORIN_WEBHOOK_SECRET'));

declare(strict_types=1);

const FLORIN_TOLERANCE_S = 300;
const FLORIN_LONGEST_WAIT_S = 60;

/** What the service refused: go by $errorCode, which docs/errors explains. */
class FlorinError extends RuntimeException
{
    public function __construct(
        public readonly int $status,
        public readonly string $errorCode,
        string $message,
        public readonly ?string $param = null,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfter = null,
    ) {
        parent::__construct($message);
    }
}

/** The request is not a webhook of Florin's, or not for this secret. Answer 400. */
class WebhookVerificationError extends RuntimeException
{
}

/**
 * Checks the signature and returns the event.
 *
 * @param string $rawBody the body as it arrived, never encoded anew
 * @param array<string, string|array<int, string>> $headers of the request, in any spelling
 * @param string|list<string> $secret one, or several while one is being replaced
 */
function verify_webhook(
    mixed $rawBody,
    mixed $headers,
    mixed $secret,
    int $tolerance = FLORIN_TOLERANCE_S,
    ?int $now = null,
): array {
    // file_get_contents, getallheaders and getenv answer false where there is nothing: refused as everything else that is odd.
    if (!is_string($rawBody)) {
        throw new WebhookVerificationError('Pass the body as the bytes that arrived.');
    }
    $header = is_array($headers) ? array_change_key_case($headers)['x-service-signature'] ?? '' : '';
    $header = is_array($header) ? implode(',', array_filter($header, 'is_string')) : $header;
    $header = is_string($header) ? $header : '';
    $times = $given = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', trim($part), 2) + ['', ''];
        if ($name === 't') {
            $times[] = $value;
        } elseif ($name === 'v1' && preg_match('/^[0-9a-f]{64}$/Di', $value)) {
            $given[] = strtolower($value);
        }
    }
    if (count($times) !== 1 || !preg_match('/^[0-9]{1,15}$/D', $times[0]) || $given === []) {
        throw new WebhookVerificationError('X-Service-Signature is missing or not of the form t=…,v1=….');
    }
    $secrets = is_array($secret) ? $secret : [$secret];
    if ($secrets === [] || array_filter($secrets, fn (mixed $one): bool => !is_string($one) || $one === '') !== []) {
        throw new WebhookVerificationError('No webhook secret is set.');
    }
    $fits = false;
    foreach ($secrets as $one) {
        $expected = hash_hmac('sha256', $times[0] . '.' . $rawBody, $one);
        foreach ($given as $other) {
            // All are compared, each in constant time.
            $fits = hash_equals($expected, $other) || $fits;
        }
    }
    if (!$fits) {
        throw new WebhookVerificationError('No signature fits: another secret, or not the body as it arrived.');
    }
    if (abs(($now ?? time()) - (int) $times[0]) > $tolerance) {
        throw new WebhookVerificationError('The signature is too old, or the clock of this machine is off.');
    }
    $event = json_decode($rawBody, true);
    if (!is_string($event['id'] ?? null) || !is_string($event['event'] ?? null) || !is_string($event['order']['order_no'] ?? null)) {
        throw new WebhookVerificationError('The signature fits, but the body is no event.');
    }
    return $event;
}

class Florin
{
    public readonly FlorinOrders $orders;
    public readonly FlorinEvents $events;
    public readonly FlorinDeliveries $deliveries;
    public readonly FlorinWebhookEndpoints $webhookEndpoints;
    public readonly FlorinChains $chains;
    public readonly FlorinPaymentLinks $paymentLinks;
    public readonly FlorinInvoices $invoices;
    public readonly FlorinTestOrders $test;
    private readonly string $baseUrl;

    public function __construct(
        #[SensitiveParameter] private readonly string $apiKey,
        string $baseUrl,
        private readonly int $timeout = 30,
        private readonly int $retries = 3,
    ) {
        if ($apiKey === '') {
            throw new InvalidArgumentException('The API key is empty.');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->orders = new FlorinOrders($this);
        $this->events = new FlorinEvents($this);
        $this->deliveries = new FlorinDeliveries($this);
        $this->webhookEndpoints = new FlorinWebhookEndpoints($this);
        $this->chains = new FlorinChains($this);
        $this->paymentLinks = new FlorinPaymentLinks($this);
        $this->invoices = new FlorinInvoices($this);
        $this->test = new FlorinTestOrders($this);
    }

    public function reconciliation(array $filters = []): array
    {
        return $this->call('GET', '/v1/reconciliation', query: $filters);
    }

    /** One call of /v1. Sent again when that does no more than sending it once. */
    public function call(
        string $method,
        string $path,
        ?array $body = null,
        array $query = [],
        ?string $idempotencyKey = null,
        ?bool $repeatable = null,
    ): mixed {
        $isSafe = $repeatable ?? ($method === 'GET' || $idempotencyKey !== null);
        for ($made = 0; ; $made++) {
            try {
                return $this->answerOf($this->open($method, $path, $body, $query, $idempotencyKey));
            } catch (FlorinError $error) {
                // Refused before anything was done, or known to be the same when done twice.
                $again = $error->status === 429
                    || $error->errorCode === 'idempotency_in_progress'
                    || ($error->status === 503 && $error->errorCode !== 'unexpected_answer')
                    || ($isSafe && in_array($error->status, [0, 502, 503, 504], true));
                $wait = ($error->retryAfter ?? 0) + min(0.25 * 2 ** $made, 8) * (0.5 + lcg_value() / 2);
                if (!$again || $made >= $this->retries || $wait > FLORIN_LONGEST_WAIT_S) {
                    throw $error;
                }
                usleep((int) ($wait * 1_000_000));
            }
        }
    }

    /** Every item of a list, page after page. */
    public function pages(string $path, array $query = []): Generator
    {
        do {
            $page = $this->call('GET', $path, query: $query);
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $query[$path === '/v1/events' ? 'after' : 'cursor'] = $page['next_cursor'];
        } while ($page['has_more']);
    }

    /** Server-sent events as they come; ends when the connection does. */
    public function stream(string $path, ?string $after = null): Generator
    {
        $stream = $this->open('GET', $path, null, $after === null ? [] : ['after' => $after], null);
        while (($line = fgets($stream)) !== false) {
            if (str_starts_with($line, 'data:')) {
                yield json_decode(substr($line, 5), true);
            }
        }
    }

    /** One id in a path; anything else could name another call. */
    public static function id(string $value): string
    {
        if (preg_match('/^[A-Za-z0-9_-]+$/D', $value) !== 1) {
            throw new InvalidArgumentException("$value is not an id such as the service gives out.");
        }
        return $value;
    }

    /** What a log shows: never the key. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** @return resource */
    private function open(string $method, string $path, ?array $body, array $query, ?string $idempotencyKey)
    {
        $headers = ["X-API-Key: {$this->apiKey}", 'Accept: application/json', 'User-Agent: florin-php'];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        }
        if ($idempotencyKey !== null) {
            $headers[] = "Idempotency-Key: $idempotencyKey";
        }
        $options = [
            'method' => $method,
            'header' => $headers,
            'timeout' => $this->timeout,
            // A redirect would carry the key elsewhere.
            'follow_location' => 0,
            'ignore_errors' => true,
            'protocol_version' => 1.1,
        ];
        if ($body !== null) {
            // An empty array is an empty object here.
            $options['content'] = json_encode($body === [] ? new stdClass() : $body, JSON_THROW_ON_ERROR);
        }
        $texts = array_map(fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $query);
        $url = $this->baseUrl . $path . ($texts === [] ? '' : '?' . http_build_query($texts));
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            throw new FlorinError(0, 'connection_failed', "{$this->baseUrl} cannot be reached.");
        }
        return $stream;
    }

    /** @param resource $stream */
    private function answerOf($stream): mixed
    {
        $lines = stream_get_meta_data($stream)['wrapper_data'];
        $text = stream_get_contents($stream);
        fclose($stream);
        $status = (int) (explode(' ', $lines[0])[1] ?? 0);
        $answer = json_decode($text === false ? '' : $text, true);
        if ($status >= 200 && $status < 300) {
            return $answer;
        }
        $after = null;
        foreach ($lines as $line) {
            if (preg_match('/^Retry-After: *(\d+)/i', $line, $found) === 1) {
                $after = (int) $found[1];
            }
        }
        $said = $answer['error'] ?? [
            'code' => 'unexpected_answer',
            'message' => "The answer $status is not Florin's: look at the base URL.",
        ];
        throw new FlorinError(
            $status,
            $said['code'],
            $said['message'],
            $said['param'] ?? null,
            $said['request_id'] ?? null,
            $after,
        );
    }
}

abstract class FlorinPart
{
    public function __construct(protected readonly Florin $florin)
    {
    }

    protected function create_(string $path, array $params, ?string $idempotencyKey): array
    {
        return $this->florin->call('POST', $path, $params, idempotencyKey: $idempotencyKey ?? bin2hex(random_bytes(16)));
    }
}

class FlorinOrders extends FlorinPart
{
    /** Every try carries the same key, so one order comes of it. Pass your own to be as safe over a restart. */
    public function create(array $params, ?string $idempotencyKey = null): array
    {
        return $this->create_('/v1/orders', $params, $idempotencyKey);
    }

    public function get(string $orderNo): array
    {
        return $this->florin->call('GET', '/v1/orders/' . Florin::id($orderNo));
    }

    public function list(array $filters = []): Generator
    {
        return $this->florin->pages('/v1/orders', $filters);
    }

    public function cancel(string $orderNo): array
    {
        return $this->florin->call('POST', '/v1/orders/' . Florin::id($orderNo) . '/cancel', [], repeatable: true);
    }

    public function refund(string $orderNo, array $params = []): array
    {
        return $this->florin->call('POST', '/v1/orders/' . Florin::id($orderNo) . '/refund', $params);
    }

    public function lookAgain(string $orderNo): array
    {
        return $this->florin->call('POST', '/v1/orders/' . Florin::id($orderNo) . '/look-again', [], repeatable: true);
    }

    public function events(string $orderNo): Generator
    {
        return $this->florin->pages('/v1/orders/' . Florin::id($orderNo) . '/events');
    }

    public function onChain(string $orderNo): array
    {
        return $this->florin->call('GET', '/v1/orders/' . Florin::id($orderNo) . '/on-chain');
    }

    public function refundToSign(string $orderNo, string $refundId): array
    {
        $path = '/v1/orders/' . Florin::id($orderNo) . '/refunds/' . Florin::id($refundId) . '/psbt';
        return $this->florin->call('POST', $path, [], repeatable: true);
    }

    public function createMerchantRefund(string $orderNo, array $params = []): array
    {
        return $this->florin->call('POST', $this->refunds($orderNo), $params);
    }

    public function merchantRefunds(string $orderNo): Generator
    {
        return $this->florin->pages($this->refunds($orderNo));
    }

    public function merchantRefund(string $orderNo, string $refundId): array
    {
        return $this->florin->call('GET', $this->refunds($orderNo) . '/' . Florin::id($refundId));
    }

    public function nameRefundTransaction(string $orderNo, string $refundId, string $txHash): array
    {
        $path = $this->refunds($orderNo) . '/' . Florin::id($refundId) . '/transaction';
        return $this->florin->call('POST', $path, ['tx_hash' => $txHash], repeatable: true);
    }

    public function cancelMerchantRefund(string $orderNo, string $refundId): array
    {
        $path = $this->refunds($orderNo) . '/' . Florin::id($refundId) . '/cancel';
        return $this->florin->call('POST', $path, [], repeatable: true);
    }

    private function refunds(string $orderNo): string
    {
        return '/v1/orders/' . Florin::id($orderNo) . '/merchant_refunds';
    }
}

class FlorinEvents extends FlorinPart
{
    public function list(array $filters = []): Generator
    {
        return $this->florin->pages('/v1/events', $filters);
    }

    public function stream(?string $after = null): Generator
    {
        return $this->florin->stream('/v1/events/stream', $after);
    }
}

class FlorinDeliveries extends FlorinPart
{
    public function list(array $filters = []): Generator
    {
        return $this->florin->pages('/v1/deliveries', $filters);
    }

    public function get(string $deliveryId): array
    {
        return $this->florin->call('GET', '/v1/deliveries/' . Florin::id($deliveryId));
    }

    public function resend(string $deliveryId): array
    {
        return $this->florin->call('POST', '/v1/deliveries/' . Florin::id($deliveryId) . '/resend', []);
    }
}

class FlorinWebhookEndpoints extends FlorinPart
{
    public function create(array $params): array
    {
        return $this->florin->call('POST', '/v1/webhook_endpoints', $params);
    }

    public function get(string $endpointId): array
    {
        return $this->florin->call('GET', '/v1/webhook_endpoints/' . Florin::id($endpointId));
    }

    public function list(array $filters = []): Generator
    {
        return $this->florin->pages('/v1/webhook_endpoints', $filters);
    }

    public function update(string $endpointId, array $params): array
    {
        return $this->florin->call('PATCH', '/v1/webhook_endpoints/' . Florin::id($endpointId), $params);
    }

    public function delete(string $endpointId): array
    {
        return $this->florin->call('DELETE', '/v1/webhook_endpoints/' . Florin::id($endpointId));
    }

    public function rotateSecret(string $endpointId, array $params = []): array
    {
        $path = '/v1/webhook_endpoints/' . Florin::id($endpointId) . '/secret/rotate';
        return $this->florin->call('POST', $path, $params);
    }

    public function test(string $endpointId, array $params = []): array
    {
        return $this->florin->call('POST', '/v1/webhook_endpoints/' . Florin::id($endpointId) . '/test', $params);
    }
}

class FlorinChains extends FlorinPart
{
    public function list(): Generator
    {
        return $this->florin->pages('/v1/chains');
    }

    public function thirdParty(): Generator
    {
        return $this->florin->pages('/v1/third-party');
    }
}

class FlorinPaymentLinks extends FlorinPart
{
    public function create(array $params, ?string $idempotencyKey = null): array
    {
        return $this->create_('/v1/payment_links', $params, $idempotencyKey);
    }

    public function get(string $linkId): array
    {
        return $this->florin->call('GET', '/v1/payment_links/' . Florin::id($linkId));
    }

    public function list(array $filters = []): Generator
    {
        return $this->florin->pages('/v1/payment_links', $filters);
    }

    public function change(string $linkId, array $params): array
    {
        return $this->florin->call('POST', '/v1/payment_links/' . Florin::id($linkId), $params);
    }
}

class FlorinInvoices extends FlorinPart
{
    public function create(array $params, ?string $idempotencyKey = null): array
    {
        return $this->create_('/v1/invoices', $params, $idempotencyKey);
    }

    public function get(string $invoiceId): array
    {
        return $this->florin->call('GET', '/v1/invoices/' . Florin::id($invoiceId));
    }

    public function list(array $filters = []): Generator
    {
        return $this->florin->pages('/v1/invoices', $filters);
    }

    public function send(string $invoiceId): array
    {
        return $this->florin->call('POST', '/v1/invoices/' . Florin::id($invoiceId) . '/send', []);
    }

    public function void(string $invoiceId): array
    {
        return $this->florin->call('POST', '/v1/invoices/' . Florin::id($invoiceId) . '/void', []);
    }
}

class FlorinTestOrders extends FlorinPart
{
    public function simulate(string $orderNo, array $params): array
    {
        return $this->florin->call('POST', '/v1/test/orders/' . Florin::id($orderNo) . '/simulate', $params);
    }
}
