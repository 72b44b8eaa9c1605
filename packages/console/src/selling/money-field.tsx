// An amount and its currency side by side.
import { digitsOf } from '@florin/protocol'
import { Select, TextInput } from '@mantine/core'
import { parseAmount } from '../orders/amount-text.ts'
import { currencyChoices } from './currency.ts'
import classes from './selling.module.css'

/** null: no amount, or more decimals than the currency has. */
export function amountIn(typed: string, currency: string): string | null {
  const plain = parseAmount(typed, 'any', digitsOf(currency))
  const decimals = plain?.split('.')[1]?.replace(/0+$/, '').length ?? 0
  return plain === null || decimals > digitsOf(currency) ? null : plain
}

interface MoneyFieldProps {
  label: string
  description?: string
  amount: string
  currency: string
  onAmount: (amount: string) => void
  onCurrency: (currency: string) => void
  isRequired?: boolean
}

export function MoneyField({
  label,
  description,
  amount,
  currency,
  onAmount,
  onCurrency,
  isRequired,
}: MoneyFieldProps) {
  const isWrong = amount !== '' && amountIn(amount, currency) === null
  const digits = digitsOf(currency)
  return (
    <div className={classes.money}>
      <TextInput
        label={label}
        {...(description === undefined ? {} : { description })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="decimal"
        required={isRequired === true}
        value={amount}
        onChange={(event) => onAmount(event.currentTarget.value)}
        {...(isWrong
          ? {
              error:
                digits === 0
                  ? `A whole number: ${currency} has no decimals.`
                  : `A number with at most ${digits} decimals.`,
            }
          : {})}
      />
      <CurrencySelect currency={currency} onCurrency={onCurrency} />
    </div>
  )
}

export function CurrencySelect({ currency, onCurrency }: { currency: string; onCurrency: (currency: string) => void }) {
  return (
    <Select
      label="Currency"
      data={currencyChoices}
      value={currency}
      searchable
      allowDeselect={false}
      comboboxProps={{ width: 300, position: 'bottom-end' }}
      onChange={(code) => {
        if (code !== null) onCurrency(code)
      }}
    />
  )
}
