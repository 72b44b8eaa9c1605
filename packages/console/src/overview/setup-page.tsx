// The set-up guide as a page of its own, for those who come back to it.
import { Skeleton } from '@mantine/core'
import { Page, Section } from '../ui/page.tsx'
import { GoLiveGuide, useGoLive } from './golive.tsx'
import { SetupGuide } from './guide.tsx'
import { useSetup } from './setup.ts'

export default function SetupPage() {
  const setup = useSetup()
  const goLive = useGoLive()
  return (
    <Page
      title="Set-up guide"
      lead="From nothing to the first payment, in test mode and then with real money. Each step is ticked off by what you have really done."
    >
      {setup === null ? <Skeleton height={260} radius={10} /> : <SetupGuide setup={setup} />}
      {goLive === null ? null : (
        <Section title="Go live">
          <GoLiveGuide of={goLive} />
        </Section>
      )}
    </Page>
  )
}
