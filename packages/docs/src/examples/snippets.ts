// What the examples of each language begin with: text that readers copy. libraries.md shows it too.

export type Language = 'sh' | 'ts' | 'python' | 'php'

/** What each language does once before its first example; the conventions show it. */
export const preludes: Readonly<Record<Language, string>> = {
  sh: ['FLORIN=http://localhost:3000', 'FLORIN_API_KEY=florin_test_…'].join('\n'),
  ts: [
    "import { Florin } from '@florin/sdk'",
    '',
    'const florin = new Florin({ apiKey: process.env.FLORIN_API_KEY, baseUrl: process.env.FLORIN })',
  ].join('\n'),
  python: [
    'import os',
    'from florin import Florin',
    '',
    'florin = Florin(os.environ["FLORIN_API_KEY"], os.environ["FLORIN"])',
  ].join('\n'),
  php: ['<?php', "require 'florin.php';", '', "$florin = new Florin(getenv('FLORIN_API_KEY'), getenv('FLORIN'));"].join(
    '\n',
  ),
}
