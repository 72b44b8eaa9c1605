// Owns the seam to the rule of api.md 7 for webhook targets at creation.
import { AppError } from '../platform/errors.ts'

export function parseWebhookUrl(text: string, a: { livemode: boolean; config: unknown }): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || (a.livemode && url.protocol !== 'https:')) {
    throw new AppError('invalid_webhook_url', { param: 'webhook_url' })
  }
  return url.href
}
