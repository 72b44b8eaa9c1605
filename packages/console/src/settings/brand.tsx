// What payers see of the shop: logo, accent colour and whom to ask, each saved by itself.
import { brandColors, LOGO_MAX_BYTES } from '@florin/protocol'
import { Button, ColorInput, FileButton, Group, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useState } from 'react'
import { Card } from '../ui/card.tsx'
import { notify } from '../ui/notify.ts'
import { ErrorNote, Lines } from '../ui/state.tsx'
import { type Brand, brandQuery, useChangeBrand, useRemoveLogo, useSetLogo } from './brand-queries.ts'
import classes from './settings.module.css'

export function BrandSection() {
  const { data: brand, error, refetch } = useQuery(brandQuery)
  if (error !== null && brand === undefined) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      {brand === undefined ? (
        <Lines n={5} />
      ) : (
        <div className={classes.brand}>
          <Logo of={brand} />
          <Accent of={brand} />
          <Support of={brand} />
        </div>
      )}
    </Card>
  )
}

function Logo({ of: brand }: { of: Brand }) {
  const set = useSetLogo()
  const remove = useRemoveLogo()
  const [tooLarge, setTooLarge] = useState(false)
  const choose = (file: File | null) => {
    if (file === null) return
    setTooLarge(file.size > LOGO_MAX_BYTES)
    if (file.size <= LOGO_MAX_BYTES) set.mutate(file, { onSuccess: () => notify('The logo was changed.') })
  }
  return (
    <section aria-label="Logo" className={classes.brandPart}>
      <Text size="sm" fw={500}>
        Logo
      </Text>
      <Text size="xs" c="dimmed">
        On the checkout, receipts and mails to payers. PNG or WebP, at most 1 MB.
      </Text>
      <Group gap={12}>
        {brand.logo === null ? null : (
          <img
            className={classes.logo}
            src={brand.logo.url.startsWith('data:') ? brand.logo.url : new URL(brand.logo.url).pathname}
            alt="Your logo"
            width={brand.logo.width}
            height={brand.logo.height}
          />
        )}
        <FileButton accept="image/png,image/webp" onChange={choose} inputProps={{ 'aria-label': 'Logo file' }}>
          {(props) => (
            <Button variant="default" size="sm" loading={set.isPending} {...props}>
              {brand.logo === null ? 'Choose a picture' : 'Replace'}
            </Button>
          )}
        </FileButton>
        {brand.logo === null ? null : (
          <Button
            variant="default"
            size="sm"
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onSuccess: () => notify('The logo was removed.') })}
          >
            Remove
          </Button>
        )}
      </Group>
      {tooLarge ? (
        <Text size="sm" c="var(--fl-bad)" role="alert">
          This file is larger than 1 MB. Save it smaller and try again.
        </Text>
      ) : null}
      <ErrorNote error={set.error ?? remove.error} />
    </section>
  )
}

function Accent({ of: brand }: { of: Brand }) {
  const change = useChangeBrand()
  const [typed, setTyped] = useState(brand.accent ?? '')
  const wanted = typed.trim() === '' ? null : typed.trim().toLowerCase()
  const isColour = wanted === null || /^#([0-9a-f]{3}|[0-9a-f]{6})$/.test(wanted)
  return (
    <form
      className={classes.brandPart}
      onSubmit={(event) => {
        event.preventDefault()
        if (isColour) change.mutate({ accent: wanted }, { onSuccess: () => notify('The colour was changed.') })
      }}
    >
      <Group gap={8} align="flex-end">
        <ColorInput
          label="Accent colour"
          description="Of the buttons payers press. Where it would be hard to see or to read, the nearest shade is used."
          placeholder="#1d5fd6"
          format="hex"
          withEyeDropper={false}
          withPreview={false}
          value={typed}
          onChange={setTyped}
          {...(isColour ? {} : { error: 'A colour such as #1d5fd6.' })}
          popoverProps={{ withinPortal: true }}
          miw={240}
          maw={360}
          flex={1}
        />
        <Button
          type="submit"
          size="sm"
          variant="default"
          loading={change.isPending}
          disabled={!isColour || wanted === brand.accent}
        >
          Save the colour
        </Button>
      </Group>
      {wanted !== null && /^#[0-9a-f]{6}$/.test(wanted) ? <Preview accent={wanted} /> : null}
      <ErrorNote error={change.error} />
    </form>
  )
}

/** The button as payers will see it, by day and by night. */
function Preview({ accent }: { accent: string }) {
  const colors = brandColors(accent)
  return (
    <div className={classes.previews} role="img" aria-label="A button in this colour, on a light and on a dark page">
      {(['light', 'dark'] as const).map((theme) => (
        <span key={theme} className={classes.preview} data-theme={theme}>
          <span style={{ '--press': colors[theme].press, '--on-press': colors[theme].on_press } as CSSProperties}>
            Pay
          </span>
        </span>
      ))}
    </div>
  )
}

function Support({ of: brand }: { of: Brand }) {
  const change = useChangeBrand()
  const [email, setEmail] = useState(brand.support_email ?? '')
  const [url, setUrl] = useState(brand.support_url ?? '')
  const next = { support_email: email.trim() || null, support_url: url.trim() || null }
  const isSame = next.support_email === brand.support_email && next.support_url === brand.support_url
  return (
    <form
      noValidate
      className={classes.brandPart}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSame) change.mutate(next, { onSuccess: () => notify('The contact was changed.') })
      }}
    >
      <TextInput
        label="Support email"
        description="Where payers write to when something went wrong. Shown on the checkout."
        type="email"
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        maw={440}
      />
      <TextInput
        label="Support page"
        type="url"
        placeholder="https://shop.example/help"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        maw={440}
      />
      <Group>
        <Button type="submit" size="sm" variant="default" loading={change.isPending} disabled={isSame}>
          Save the contact
        </Button>
      </Group>
      <ErrorNote error={change.error} />
    </form>
  )
}
