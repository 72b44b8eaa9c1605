// The set-up guide as a page of its own, for those who come back to it.
import { Skeleton } from '@mantine/core'
import { Page } from '../ui/page.tsx'
import { SetupGuide } from './guide.tsx'
import { useSetup } from './setup.ts'

export default function SetupPage() {
  const setup = useSetup()
  return (
    <Page
      title="Set-up guide"
      lead="From nothing to the first payment, in test mode. Each step is ticked off by what you have really done."
    >
      {setup === null ? <Skeleton height={260} radius={10} /> : <SetupGuide setup={setup} />}
    </Page>
  )
}
