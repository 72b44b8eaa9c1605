// Words of the fields of events, their deliveries and the receivers.

export const webhookWords: Readonly<Record<string, string>> = {
  'Event.id': 'The id of the event, the same over attempts and resends: drop one that you have seen.',

  'WebhookEvent.id': 'The id of the event, the same over attempts and resends: drop one that you have seen.',

  'Delivery.event_id': 'The id of the event that it carries.',
  'Delivery.url': 'Where it goes.',
  'Delivery.attempt_count': 'How many attempts were made: at most 5.',
  'Delivery.next_attempt_at': 'When the next attempt is due. `null` where none is.',

  'Attempt.at': 'When it began. ISO 8601, UTC.',
  'Attempt.http_status': 'What the receiver answered. `null` where no answer came.',

  'Replay.from': 'Where the range begins.',
  'Replay.to': 'Where it ends.',
  'Replay.resent': 'How many were sent again so far.',
  'Replay.finished_at': 'When it was done. `null` until then.',
  'Replay.state': '`running` or `done`.',

  'WebhookEndpoint.url': 'Where events go.',
  'WebhookEndpoint.events': 'What it is sent.',
  'WebhookEndpoint.status': '`enabled`, or `disabled`: then nothing is sent.',
  'WebhookEndpoint.disabled_at': 'Since when. `null`: it is enabled.',
  'WebhookEndpoint.health': 'How its deliveries fare.',
  'WebhookEndpoint.last_success_at': 'When something was last taken. `null`: never.',
  'WebhookEndpoint.last_failure_at': 'When an attempt last failed. `null`: never.',

  'UpdateWebhookEndpoint.enabled': '`false` disables it: nothing more is sent there.',
  overlap_seconds: 'How long the old one signs beside the new one; 0 where left out.',
  old_secret_ends_at: 'Until when the old one signs beside it. ISO 8601, UTC.',

  'SampleResult.ok': 'Whether the receiver took it.',
  'SampleResult.http_status': 'What it answered. `null` where no answer came.',
  'SampleResult.latency_ms': 'How long it took, in milliseconds.',
  'SampleResult.error': 'What went wrong, as in deliveries. `null` where nothing.',
  'SampleResult.response_excerpt': 'The beginning of its answer. `null` where there was none.',
  'SampleResult.sent': 'What was sent.',
  'SampleResult.headers': 'With the signature.',
  'SampleResult.body': 'The bytes that were signed.',
}
