// The list of tables with values that are sealed under the master key.
import type { SealedRows } from '@florin/platform/db/reseal'
import { sealedMails } from '@florin/platform/mail/claim'
import { sealedNotices } from '@florin/platform/mail/notices.store'
import { sealedWebhookSecrets } from './keys/store.ts'
import { sealedSeed } from './recovery/seed.store.ts'

export const sealedTables: readonly SealedRows[] = [sealedWebhookSecrets, sealedMails, sealedNotices, sealedSeed]
