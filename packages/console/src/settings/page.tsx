// The settings: what the merchant is called, where orders settle by default, how the console looks, and sessions.

import { NAME_MAX } from '@florin/protocol'
import { Button, Group, SegmentedControl, TextInput, useMantineColorScheme } from '@mantine/core'
import { useState } from 'react'
import { DefaultChain } from '../addresses/default-chain.tsx'
import { useChangeMerchant, useMerchant } from '../login/queries.ts'
import type { Merchant } from '../session.ts'
import { Card } from '../ui/card.tsx'
import { Mono } from '../ui/copy.tsx'
import { notify } from '../ui/notify.ts'
import { Fact, Facts, Page, Section } from '../ui/page.tsx'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { When } from '../ui/time.tsx'
import { BrandSection } from './brand.tsx'
import { CurrencySection } from './currencies.tsx'
import { EmailSection } from './email.tsx'
import { MailSection } from './mails.tsx'
import { Sessions } from './sessions.tsx'
import { TimeZoneSection } from './time-zone.tsx'

export default function SettingsPage() {
  const { data: merchant, error, refetch } = useMerchant()
  return (
    <Page title="Settings">
      {error !== null && merchant === undefined ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
      <Card>
        {merchant === undefined ? (
          <Lines n={4} />
        ) : (
          <>
            <NameForm merchant={merchant} />
            <Facts>
              <Fact name="Merchant id">
                <Mono value={merchant.id} what="merchant id" />
              </Fact>
              <Fact name="Since">
                <When at={merchant.created_at} as="full" />
              </Fact>
            </Facts>
            <DefaultChain />
          </>
        )}
      </Card>
      <Section title="Brand">
        <BrandSection />
      </Section>
      <Section title="Currencies">
        <CurrencySection />
      </Section>
      <Section title="Days and times">
        <TimeZoneSection />
      </Section>
      <Section title="Email">
        <EmailSection email={merchant?.email} />
      </Section>
      <Section title="Mails">
        <MailSection />
      </Section>
      <Section title="Appearance">
        <Scheme />
      </Section>
      <Section title="Sessions">
        <Sessions />
      </Section>
    </Page>
  )
}

function NameForm({ merchant }: { merchant: Merchant }) {
  const [name, setName] = useState(merchant.name ?? '')
  const change = useChangeMerchant()
  const wanted = name.trim() === '' ? null : name.trim()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ name: wanted }, { onSuccess: () => notify('The name was changed.') })
      }}
    >
      <Group gap={8} align="flex-end" mb={10}>
        <TextInput
          label="Name"
          description="Payers see it on the checkout."
          maxLength={NAME_MAX}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          miw={240}
          maw={360}
          flex={1}
        />
        <Button type="submit" size="sm" loading={change.isPending} disabled={wanted === merchant.name}>
          Save
        </Button>
      </Group>
      <ErrorNote error={change.error} />
    </form>
  )
}

function Scheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      aria-label="Colour scheme"
      value={colorScheme}
      onChange={(value) => setColorScheme(value === 'dark' ? 'dark' : value === 'light' ? 'light' : 'auto')}
      data={[
        { value: 'auto', label: 'As the system' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ]}
    />
  )
}
