// The start of the program.
import { runProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

const environment = process.env
process.exitCode = await runProgram(process.argv.slice(2), { terminal: openTerminal(environment), environment })
