// docs/going-live.md in bash, in a folder that shares what is installed here. e2e/docs/fresh.system.test.ts begins with nothing.
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { walkGoingLive } from './docs/going-live.ts'

const root = join(import.meta.dirname, '..')

test('going-live.md leads from nothing to a settled order of one dollar, as it stands', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'florin-golive-'))
  t.after(() => rm(dir, { recursive: true, force: true }))
  const parts = ['package.json', 'package-lock.json', 'packages', 'scripts', 'node_modules', 'e2e', 'bench', 'florin']
  for (const part of parts) await symlink(join(root, part), join(dir, part))
  await walkGoingLive(t, { dir, shell: 'bash', isRun: true })
})
