import { useAtomValue } from 'jotai'
import { useTranslation } from 'react-i18next'
import { productNow } from '#client/data/product-clock.ts'
import { demoClockAtom } from '#client/screens/wallet/activity/demo-clock.ts'
import { FormField } from '#client/ui/forms/form-field.tsx'
import { FormikForm, SubmitButton } from '#client/ui/forms/formik-form.tsx'
import { statementForm } from '#contract/forms/statement'
import { DAY_MS } from '#rules/constants'
import { downloadStatement } from './download-statement.ts'

/** Days of the period that the form proposes. */
const PROPOSED_DAYS = 30

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** Asks for a period of UTC days and downloads its statement. */
export function StatementForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('wallet')
  const isDemo = useAtomValue(demoClockAtom) !== null
  const now = productNow() ?? Date.now()
  const today = dayOf(now)
  return (
    <FormikForm
      initialValues={{ from: dayOf(now - (PROPOSED_DAYS - 1) * DAY_MS), to: today }}
      validationSchema={statementForm}
      onSubmit={downloadStatement}
      onDone={onDone}
    >
      <FormField name="from" type="date" label={t('statement.from')} max={today} required />
      <FormField name="to" type="date" label={t('statement.to')} max={today} required />
      {isDemo && <p className="text-xs text-amber">{t('statement.demoClock')}</p>}
      <SubmitButton busyLabel={t('statement.preparing')}>{t('statement.download')}</SubmitButton>
    </FormikForm>
  )
}
