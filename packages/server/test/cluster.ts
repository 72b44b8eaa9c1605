// The PostgreSQL that tests run on: the one the test command started (FLORIN_TEST_PG), shared by all test files.

export async function testCluster(): Promise<string> {
  const given = process.env.FLORIN_TEST_PG
  if (given) return given
  throw new Error(
    'FLORIN_TEST_PG is not set. Run tests through `npm test -- <file>`, which starts a PostgreSQL for them.',
  )
}
