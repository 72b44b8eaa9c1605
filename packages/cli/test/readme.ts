// The parts of the README that the program itself knows: its help and the list of checks. Run as a program, it writes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { commands } from '../src/commands.ts'
import { allChecks } from '../src/doctor/examine.ts'
import { commandHelp, overview } from '../src/help.ts'

/** The README with these parts as they are now. */
export function brought(readme: string): string {
  const fenced = (text: string) => `\`\`\`text\n${text}\n\`\`\``
  let text = readme.replace(/^```text\nflorin: .*?^```/ms, () => fenced(overview(commands)))
  for (const command of commands) {
    const old = new RegExp(`^\`\`\`text\\nflorin ${command.name}(?: [A-Z[][^\\n]*)? \\[options\\].*?^\`\`\``, 'ms')
    text = text.replace(old, () => fenced(commandHelp(command)))
  }
  const rows = allChecks.map(({ title, should }) => `| ${title} | ${should} |\n`).join('')
  return text.replace(/(?<=^\| check \|.*\n\| -+ \| -+ \|\n)(?:\|.*\n)*/m, () => rows)
}

if (import.meta.main) {
  const path = new URL('../README.md', import.meta.url)
  writeFileSync(path, brought(readFileSync(path, 'utf8')))
}
