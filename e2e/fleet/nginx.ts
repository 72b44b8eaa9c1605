// Debian's nginx in front of several API processes. Where one cannot be reached, nginx asks the next. A request that a process may have
// begun is left to the caller, who sends it again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needsDebian } from '../../packages/server/test/debian.ts'
import { freePort, until } from '../florin.ts'
import { type Balancer, send } from './balancer.ts'

export interface Nginx extends Balancer {
  url: string
  /** SIGKILL to all of its processes, and started again. */
  restart(): Promise<void>
}

export async function startNginx(): Promise<Nginx> {
  await needsDebian('nginx')
  const folder = await mkdtemp(join(tmpdir(), 'florin-nginx-'))
  // nginx runs its workers as another user than root.
  await chmod(folder, 0o755)
  const settings = join(folder, 'nginx.conf')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let running: ChildProcess | null = null
  const tell = (signal: NodeJS.Signals): void => void (running?.pid && process.kill(running.pid, signal))

  async function start(): Promise<void> {
    const child = spawn('/usr/sbin/nginx', ['-c', settings, '-p', folder, '-e', join(folder, 'error.log')], {
      // A group of its own, since its workers outlive a master that is killed.
      ...{ cwd: folder, stdio: 'ignore', detached: true },
    })
    running = child
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
      return takesConnections(port)
    }, 'nginx')
  }
  async function kill(): Promise<void> {
    const child = running
    running = null
    if (child?.pid === undefined || child.exitCode !== null) return
    const gone = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await gone
    await until(async () => !(await takesConnections(port)), 'the end of nginx')
  }

  writeFileSync(settings, configuration(folder, port, []))
  await start()
  return {
    url,
    use(urls) {
      writeFileSync(settings, configuration(folder, port, urls))
      tell('SIGHUP')
    },
    ask: (method, path, headers, body) => send(url, { method, path, headers, body }),
    async restart() {
      await kill()
      await start()
    },
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, port: number, urls: readonly string[]): string {
  const servers = urls.map((url) => `server 127.0.0.1:${new URL(url).port} max_fails=1 fail_timeout=2s;`)
  // An upstream without a server is an error.
  const upstream = servers.length === 0 ? ['server 127.0.0.1:1;'] : servers
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
user nobody nogroup;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  upstream florin { ${upstream.join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://florin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_connect_timeout 2s;
    }
  }
}
`
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
