// One field as a row of the reference: its name, its type, what it means, its values and its bounds. Pure.
import type { Objects } from './objects.ts'
import { bare, boundsOf, isNullable, type OpenApi, resolveRef, type Schema, typeOf, valuesOf } from './openapi.ts'

/** @param before what is said first, such as that it is required */
export function fieldRow(api: OpenApi, objects: Objects, name: string, schema: Schema, before: string[]): string {
  const resolved = schema.$ref === undefined ? schema : { ...resolveRef(api, schema), ...descriptionOf(schema) }
  const one = bare(resolved)
  const inner = one.items === undefined ? one : bare(resolveRef(api, one.items))
  // Values that have a section of their own are linked to by their type.
  const named = [schema, bare(schema), one.items ?? {}, one].some((part) => objects.nameOf(part) !== null)
  const values = named
    ? []
    : valuesOf(bare(resolveRef(api, one))).concat(one.items === undefined ? [] : valuesOf(inner))
  const isWorded = values.some(({ words }) => words !== '')
  const listed = values.map(({ value, words }) => (isWorded ? `\`${value}\`: ${words}` : `\`${value}\``))
  const bounds = [
    ...boundsOf(one),
    ...(one.default === undefined ? [] : [`default \`${JSON.stringify(one.default)}\``]),
  ]
  const words = [
    before.length === 0 ? '' : `**${capital(before.join(', '))}.**`,
    // Where a list of values is described by its own words, those stand here once.
    isWorded && schema.description === undefined ? '' : sentence(schema.description ?? resolved.description ?? ''),
    listed.length === 0 ? '' : isWorded ? listed.join(' ') : `${listed.join(' ')}.`,
    bounds.length === 0 ? '' : `${capital(bounds.join(', '))}.`,
  ].filter((part) => part !== '')
  const kind = objects.nameOf(schema) === null ? one : schema
  const type = `${typeOf(kind, objects.nameOf)}${isNullable(schema) || isNullable(resolved) ? ' or null' : ''}`
  return `| \`${name}\` | ${type} | ${words.join(' ').replaceAll('|', '\\|').replaceAll('\n', ' ')} |`
}

const capital = (text: string): string => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`
const descriptionOf = ({ description }: Schema): Schema => (description === undefined ? {} : { description })
export const sentence = (text: string): string => (text === '' || /[.!?)]$/.test(text) ? text : `${text}.`)
