// A port that is listened on and, once this process is stopped by SIGSTOP, takes no connection. Tells its parent the port.
import { createServer } from 'node:net'

const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) process.send?.(address.port)
})
