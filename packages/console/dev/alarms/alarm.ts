import type { AttentionItem } from '@florin/protocol'

export type Alarm = Pick<AttentionItem, 'kind' | 'summary' | 'evidence' | 'actions'>
