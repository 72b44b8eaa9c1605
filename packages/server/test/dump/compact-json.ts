// JSON for a file that people compare: what fits a line stands on one, so that a change is a line or a few and the file is a
// third smaller than with a line for each value.
const WIDTH = 160

/** @returns the text, without a line break at its end. */
export function compactJson(value: unknown, indent = 0, before = 0): string {
  const flat = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent + before + flat.length <= WIDTH) return flat
  const pad = ' '.repeat(indent + 1)
  const end = `\n${' '.repeat(indent)}`
  if (Array.isArray(value)) {
    return `[\n${value.map((part) => `${pad}${compactJson(part, indent + 1)}`).join(',\n')}${end}]`
  }
  const lines = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([key, part]) => {
      const name = `${JSON.stringify(key)}: `
      return `${pad}${name}${compactJson(part, indent + 1, name.length)}`
    })
  return `{\n${lines.join(',\n')}${end}}`
}
