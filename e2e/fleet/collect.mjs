// Imported by the processes whose memory is watched: on SIGUSR2 it collects what nothing holds and gives the pages back, as a plain
// collection does not.
process.on('SIGUSR2', () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
