import {
  Form,
  Formik,
  type FormikConfig,
  type FormikErrors,
  type FormikHelpers,
  type FormikProps,
  type FormikValues,
  useFormikContext,
} from 'formik'
import { type ReactNode, useEffect, useRef } from 'react'
import { answerOf } from '#client/data/api.ts'
import { errorText } from '#client/language/language.ts'
import { Button, type ButtonProps } from '#client/ui/buttons/button.tsx'
import { showFailure } from '#client/ui/toasts/toast.ts'

/** `fields` are the server's messages by field; without them a toast has reported the failure. */
export type FormOutcome = { done: true } | { done: false; fields?: Record<string, string> }

/** The field that is wrong, by the code of the server's error. */
const FIELDS: Partial<Record<string, string>> = {
  wrong_password: 'password',
  second_factor_invalid: 'code',
}

/** Returns the errors that belong to fields; shows all other errors in a toast. */
export function handleFailure(title: string, error: unknown): FormOutcome {
  const answer = answerOf(error)
  const field = FIELDS[answer?.code ?? '']
  if (answer && field) return { done: false, fields: { [field]: errorText(answer) } }
  if (answer?.fields) return { done: false, fields: answer.fields }
  showFailure(title, error)
  return { done: false }
}

/** @param failed title of a failure that belongs to no field */
export async function outcomeOf(failed: string, run: () => Promise<unknown>): Promise<FormOutcome> {
  try {
    await run()
    return { done: true }
  } catch (error) {
    return handleFailure(failed, error)
  }
}

export type FormikFormProps<V> = Pick<FormikConfig<V>, 'initialValues' | 'validationSchema'> & {
  /** Shows the messages of its outcome, if it has one, at their fields. */
  // biome-ignore lint/suspicious/noConfusingVoidType: the outcome of a function without one.
  onSubmit: (values: V, helpers: FormikHelpers<V>) => Promise<FormOutcome | void>
  onDone?: () => void
  className?: string
  method?: 'dialog'
  children?: ReactNode | ((form: FormikProps<V>) => ReactNode)
}

export function FormikForm<V extends FormikValues>({
  onSubmit,
  onDone,
  className,
  method,
  children,
  ...config
}: FormikFormProps<V>) {
  async function submit(values: V, helpers: FormikHelpers<V>) {
    const outcome = await onSubmit(values, helpers)
    if (outcome?.done) onDone?.()
    else if (outcome?.fields) helpers.setErrors(outcome.fields as FormikErrors<V>)
  }
  return (
    <Formik {...config} onSubmit={submit}>
      {(form) => (
        <Form noValidate method={method} className={className ?? 'flex flex-col gap-2'}>
          <FocusFirstError />
          {typeof children === 'function' ? children(form) : children}
        </Form>
      )}
    </Formik>
  )
}

export function FocusFirstError() {
  const { submitCount, isSubmitting } = useFormikContext()
  const marker = useRef<HTMLSpanElement>(null)
  const handled = useRef(0)
  useEffect(() => {
    if (isSubmitting || handled.current === submitCount) return
    handled.current = submitCount
    marker.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount, isSubmitting])
  return <span ref={marker} hidden />
}

/** Focuses a field when it appears; with `ifLost` only if the focus was on an element that is gone. */
export function FocusOnMount({ name, ifLost = false }: { name: string; ifLost?: boolean }) {
  const marker = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (ifLost && document.activeElement !== document.body) return
    marker.current?.closest('form')?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  }, [name, ifLost])
  return <span ref={marker} hidden />
}

export function SubmitButton({ className = 'mt-2 w-full', ...rest }: ButtonProps) {
  const { isSubmitting } = useFormikContext()
  return <Button type="submit" size="large" busy={isSubmitting} className={className} {...rest} />
}
