// Imported by a program in a process group of its own: when whoever started it is gone, however that came, it ends as if asked.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
