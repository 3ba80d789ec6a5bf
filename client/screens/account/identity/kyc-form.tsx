import { Form, Formik } from 'formik'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { translated } from '#client/language/messages/server-message.ts'
import { Button } from '#client/ui/buttons/button.tsx'
import { FocusFirstError } from '#client/ui/forms/focus-first-error.tsx'
import { type DocumentType, kycForm } from '#contract/forms/document'
import { DocumentPicker } from './document-picker.tsx'
import { DocumentTypeSelect } from './document-type-select.tsx'
import {
  type DocumentProblem,
  documentProblem,
  documentProgressAtom,
  submitDocument,
} from './kyc-commands.ts'

type Values = { documentType: DocumentType | '' }

const blank: Values = { documentType: '' }

export function KycForm() {
  const { t } = useTranslation('account')
  const [document, setDocument] = useState<File | null>(null)
  const [problem, setProblem] = useState<DocumentProblem>()
  const sending = useAtomValue(documentProgressAtom) !== null

  function take(file: File) {
    const found = documentProblem(file)
    setProblem(found)
    setDocument(found ? null : file)
  }

  async function submit({ documentType }: Values) {
    if (document && documentType) await submitDocument(documentType, document)
  }

  return (
    <Formik initialValues={blank} validationSchema={kycForm} onSubmit={submit}>
      {({ values, errors, touched, setFieldValue, setFieldTouched }) => (
        <Form noValidate className="mt-5 flex flex-col gap-2">
          <FocusFirstError />
          <DocumentTypeSelect
            value={values.documentType}
            error={touched.documentType ? translated(errors.documentType) : undefined}
            disabled={sending}
            onChange={(type) => void setFieldValue('documentType', type)}
            onClose={() => void setFieldTouched('documentType')}
          />
          <DocumentPicker document={document} problem={problem} onDocument={take} />
          <Button
            type="submit"
            size="large"
            busy={sending}
            disabled={document === null}
            className="mt-2 w-full"
          >
            {t('kyc.submit')}
          </Button>
        </Form>
      )}
    </Formik>
  )
}
