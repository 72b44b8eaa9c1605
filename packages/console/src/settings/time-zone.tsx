// The time zone of the merchant: what a day is in lists, statistics, exports, invoices and mails.
import { Select } from '@mantine/core'
import { useChangeMerchant, useMerchant } from '../login/queries.ts'
import { Card } from '../ui/card.tsx'
import { notify } from '../ui/notify.ts'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { useZoneText } from '../ui/time.tsx'
import { browserZone, useZone } from '../zone.ts'

export function TimeZoneSection() {
  const { data: merchant } = useMerchant()
  const zone = useZone()
  const now = useZoneText()
  const change = useChangeMerchant()
  // UTC is in no list of zones, and of two names of one zone each browser lists another.
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', browserZone(), zone])].sort()
  return (
    <Card>
      {merchant === undefined ? (
        <Lines n={2} />
      ) : (
        <>
          <Select
            label="Time zone"
            description={`Days and times in lists, statistics, exports, invoices and mails are of ${now}. The API stays in UTC. A change counts for what is shown from now on, and for when unpaid invoices are overdue.`}
            data={zones.map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))}
            value={zone}
            searchable
            allowDeselect={false}
            disabled={change.isPending}
            maw={520}
            onChange={(name) =>
              change.mutate({ time_zone: name ?? zone }, { onSuccess: () => notify('The time zone was changed.') })
            }
          />
          <ErrorNote error={change.error} />
        </>
      )}
    </Card>
  )
}
