// The list of tables with values that are sealed under the master key.
import { sealedWebhookSecrets } from './keys/store.ts'
import type { SealedRows } from './platform/db/reseal.ts'
import { sealedMails } from './platform/mail/claim.ts'
import { sealedNotices } from './platform/mail/notices.store.ts'
import { sealedSeed } from './recovery/seed.store.ts'

export const sealedTables: readonly SealedRows[] = [sealedWebhookSecrets, sealedMails, sealedNotices, sealedSeed]
