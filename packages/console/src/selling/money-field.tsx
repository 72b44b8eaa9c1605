// An amount and its currency side by side.
import { digitsOf } from '@florin/protocol'
import { Select, TextInput } from '@mantine/core'
import { parseAmount } from '../orders/amount-text.ts'
import { currencyChoices } from './currency.ts'
import classes from './selling.module.css'

/** null: no amount, or more decimals than the currency has. */
export function amountIn(typed: string, currency: string): string | null {
  const plain = parseAmount(typed, digitsOf(currency))
  const decimals = plain?.split('.')[1]?.replace(/0+$/, '').length ?? 0
  return plain === null || decimals > digitsOf(currency) ? null : plain
}

/** How an order says it: dollars have a field of their own. */
export const orderAmount = (plain: string, currency: string) =>
  currency === 'USD' ? { amount_usd: plain } : { amount: plain, currency }

interface MoneyFieldProps {
  label: string
  description?: string
  amount: string
  currency: string
  onAmount: (amount: string) => void
  onCurrency: (currency: string) => void
  isRequired?: boolean
  /** It has the focus when its dialog opens, and what stands in it is selected: typing replaces it. */
  isFirst?: boolean
}

export function MoneyField({
  label,
  description,
  amount,
  currency,
  onAmount,
  onCurrency,
  isRequired,
  isFirst,
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
        {...(isFirst === true ? { 'data-autofocus': true, onFocus: (event) => event.currentTarget.select() } : {})}
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
