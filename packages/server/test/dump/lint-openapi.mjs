// Prints what the recommended rules of Redocly say of an OpenAPI document, as JSON. A process of its own: the linter is large and
// brings globals along. Usage: node lint-openapi.mjs FILE
import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'

const [, , path = ''] = process.argv
const config = await createConfig({ extends: ['recommended'] })
const problems = await lintFromString({ source: readFileSync(path, 'utf8'), absoluteRef: path, config })
console.log(
  JSON.stringify(
    problems.map(
      ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
    ),
  ),
)
