// Florin loads two exports: `default` makes the rail, `migrate` makes its tables.
import { readEvents, sendMoves } from './job.js'
import { makeRail } from './rail.js'

export { migrate } from './store.js'

/** @type {import('@florin/rail-kit/interface/plug').MakeRail} */
export default function toyRail(parts, work) {
  const url = process.env.TOY_CHAIN_URL
  if (url === undefined) throw new Error('Set TOY_CHAIN_URL to the address of the toy chain.')
  return plugOver(url, parts, work)
}

/**
 * @param {string} url of the toy chain
 * @param {import('@florin/rail-kit/interface/plug').RailParts} parts
 * @returns {import('@florin/rail-kit/interface/plug').RailPlug}
 */
export function plugOver(url, parts, work = parts) {
  return {
    rail: makeRail(url, parts),
    jobs: [
      {
        name: 'toy-chain',
        everyMs: 200,
        run: async () => (await sendMoves(url, work)) + (await readEvents(url, work)),
      },
    ],
    // A chain that does not answer now is asked again by the job: the start goes on.
    check: async () => undefined,
  }
}
