// Promises: whatever a request holds and however a shop is set up, verify_webhook of each language returns an event or refuses with
// its one documented error. Anything else would be a 500, which Florin sends again, or the end of the shop's process.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { sign } from '../../packages/protocol/src/signature.ts'
import { needsDebian } from '../../packages/server/test/debian.ts'

const root = join(import.meta.dirname, '../..')
const secret = 'whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV'
const now = 1_760_000_000
const genuine = '{"id":"evt_1","event":"order.success","order":{"order_no":"ord_1","status":"success"}}'
const signed = (body: string | Uint8Array, timestamp = now) =>
  sign({ secrets: [secret], body: typeof body === 'string' ? new TextEncoder().encode(body) : body, timestamp })
const notEvents = [
  ...['', 'null', '5', '"order"', '[]', '{', '{"order":{}}', '{"id":1,"event":"x","order":{"order_no":"o"}}'],
  ...['{"id":"e","event":"x","order":"order_no"}', '{"id":"e","event":"x","order":{"order_no":null}}', '[[0]]'],
  ...['['.repeat(100_000), `{"id":${'9'.repeat(5_000)}}`],
]

before(() => needsDebian('python3', 'php-cli'))

const programs = {
  python: {
    file: 'florin.py',
    odd: `import json
from florin import WebhookVerificationError, verify_webhook

given = json.load(open("given.json"))
secret, now, header, body = given["secret"], given["now"], given["header"], given["body"].encode()
named = {"X-Service-Signature": header}
good = header.split("v1=")[1]
taken = [
    verify_webhook(body, named, secret, now=now),
    verify_webhook(bytearray(body), named, ["whsec_other", secret], now=now),
    verify_webhook(body, [(b"x-service-signature", header.encode())], secret, now=now),
    verify_webhook(body, {"HTTP_X_SERVICE_SIGNATURE": header}, secret, now=now),
    verify_webhook(body, {"x-service-signature": [header]}, secret, now=now),
]
assert all(one["order"]["status"] == "success" for one in taken)
odd = []
for value in [None, "", "t", "=", ",", "t=,v1=", "t=1,t=1,v1=" + good, "v1=" + good, "t=-1,v1=" + good,
              "t=" + "9" * 5000 + ",v1=" + good, "t=\\u0661,v1=" + good, "t=1.5,v1=" + good, "t=" + str(now) + ",v1=\\u00e9",
              "t=" + str(now) + ",v1=\\udcff", "t=" + str(now) + ",v1=" + "\\u00e9" * 64, "\\u0000", "x" * 100000, 5, b"\\xff",
              [], [None], [5], {}, object(), "t=" + str(now) + ",v1=" + "0" * 64]:
    odd.append((body, {"X-Service-Signature": value}, secret))
for headers in [None, 5, "X-Service-Signature", [], [1], [("a",)], [("x-service-signature", header, 1)], {1: header},
                {None: header}, {b"\\xff": b"\\xff"}, object()]:
    odd.append((body, headers, secret))
for raw in [None, "", body.decode(), [], {}, 5, memoryview(body), object()]:
    odd.append((raw, named, secret))
for wrong in [None, "", [], [None], [""], 5, b"whsec", {}, "whsec_\\u00e9", "whsec_\\udcff", [secret, None]]:
    odd.append((body, named, wrong))
for one in given["notEvents"]:
    odd.append((one["body"].encode(), {"X-Service-Signature": one["header"]}, secret))
odd.append((b"\\xff\\xfe", {"X-Service-Signature": given["notText"]}, secret))
for one in odd:
    try:
        verify_webhook(*one, now=now)
        raise SystemExit(f"accepted {one!r}"[:300])
    except WebhookVerificationError:
        pass
print(len(odd))
`,
  },
  php: {
    file: 'florin.php',
    odd: `<?php
error_reporting(E_ALL);
set_error_handler(function (int $no, string $text): never { throw new ErrorException($text); });
require 'florin.php';

$given = json_decode(file_get_contents('given.json'), true);
['secret' => $secret, 'now' => $now, 'header' => $header, 'body' => $body] = $given;
$named = ['X-Service-Signature' => $header];
$good = explode('v1=', $header)[1];
$taken = [
    verify_webhook($body, $named, $secret, now: $now),
    verify_webhook($body, ['x-service-signature' => [$header]], ['whsec_other', $secret], now: $now),
];
foreach ($taken as $one) {
    assert($one['order']['status'] === 'success');
}
$odd = [];
foreach ([null, false, '', 't', '=', ',', 't=,v1=', "t=1,t=1,v1=$good", "v1=$good", "t=-1,v1=$good",
    't=' . str_repeat('9', 5000) . ",v1=$good", "t=\\u{661},v1=$good", "t=1.5,v1=$good", "t=$now,v1=\\u{e9}", "t=$now,v1=\\xff",
    "t=$now\\n,v1=" . str_repeat('0', 64), "\\0", str_repeat('x', 100000), 5, 1.5, [], [null], [5], [[]], new stdClass(),
    "t=$now,v1=" . str_repeat('0', 64)] as $value) {
    $odd[] = [$body, ['X-Service-Signature' => $value], $secret];
}
foreach ([null, false, 5, 'X-Service-Signature', [], [1], [[]], new stdClass()] as $headers) {
    $odd[] = [$body, $headers, $secret];
}
foreach ([null, false, '', [], 5, new stdClass()] as $raw) {
    $odd[] = [$raw, $named, $secret];
}
foreach ([null, false, '', [], [null], [''], 5, new stdClass(), "whsec_\\xff", [$secret, false], [[]]] as $wrong) {
    $odd[] = [$body, $named, $wrong];
}
foreach ($given['notEvents'] as $one) {
    $odd[] = [$one['body'], ['X-Service-Signature' => $one['header']], $secret];
}
$odd[] = ["\\xff\\xfe", ['X-Service-Signature' => $given['notText']], $secret];
foreach ($odd as $at => $one) {
    try {
        verify_webhook(...$one, now: $now);
        exit("accepted number $at");
    } catch (WebhookVerificationError) {
    }
}
echo count($odd);
`,
  },
} as const

for (const [language, interpreter] of [
  ['python', 'python3'],
  ['php', 'php'],
] as const) {
  test(`verify_webhook in ${language}: odd headers, bodies and secrets → its one refusal`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'florin-odd-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const { file, odd } = programs[language]
    await copyFile(join(root, 'examples', language, file), join(folder, file))
    const given = {
      ...{ secret, now, header: signed(genuine), body: genuine, notText: signed(Uint8Array.of(0xff, 0xfe)) },
      notEvents: notEvents.map((body) => ({ body, header: signed(body) })),
    }
    await writeFile(join(folder, 'given.json'), JSON.stringify(given))
    const program = language === 'php' ? 'odd.php' : 'odd.py'
    await writeFile(join(folder, program), odd)
    const { stdout } = await promisify(execFile)(interpreter, [program], { cwd: folder })
    assert.ok(Number(stdout) >= 50, stdout)
  })
}
