// The choice of what a key may do.
import { type Scope, scopes } from '@florin/protocol'
import { Checkbox, Stack } from '@mantine/core'
import { scopeWords } from './words.ts'

export function ScopeBoxes({ wanted, onChange }: { wanted: readonly Scope[]; onChange: (scopes: Scope[]) => void }) {
  return (
    <Checkbox.Group
      label="What it may do"
      value={[...wanted]}
      onChange={(values) => onChange(scopes.filter((scope) => values.includes(scope)))}
      {...(wanted.length === 0 ? { error: 'Choose at least one.' } : {})}
    >
      <Stack gap={8} mt={6}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            size="sm"
            label={scopeWords[scope].label}
            description={`${scope} · ${scopeWords[scope].text}`}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
