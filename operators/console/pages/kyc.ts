import {
  type DocumentRow,
  documentState,
  newestDocuments,
  readDocument,
  waitingDocuments,
} from '#db/members/kyc'
import { type Db, inTransaction } from '#db/postgres/statements/transaction'
import { notFound, recordAction } from '#operators/actions/action-log'
import { html, type Value } from '#operators/console/html'
import type { Linked, PageRequest } from '#operators/console/page'
import {
  actionLink,
  facts,
  memberLink,
  pager,
  section,
  table,
  time,
} from '#operators/console/parts'
import { wholeNumber } from '#operators/ops/command'

type Waiting = Awaited<ReturnType<typeof waitingDocuments>>[number]

const ROWS = 50

export async function identityPage({ db, query }: PageRequest): Promise<Value> {
  const after = query('after') ? wholeNumber(query('after'), 'The page') : 0
  const found: Waiting[] = await waitingDocuments(db, { after, limit: ROWS + 1 })
  const rows = found.slice(0, ROWS)
  const next = found.length > ROWS ? String(rows.at(-1)?.id) : undefined
  const documents = table('Documents that wait for a decision', rows, [
    ['Document', ({ id }) => html`<a href="/identity/${id}">${id}</a>`],
    ['Member', ({ userId, username }) => memberLink(userId, username)],
    ['Type', ({ documentType }) => documentType],
    ['Submitted (UTC)', ({ createdAt }) => time(createdAt)],
  ])
  return section('Documents that wait for a decision', [documents, pager('/identity', {}, next)])
}

async function documentOf(db: Db, id: number): Promise<DocumentRow> {
  const [document] = await newestDocuments(db, 1, { 'd.id': id })
  if (!document) throw notFound('document')
  return document
}

function idOf({ param }: PageRequest): number {
  const id = param('id')
  if (!/^\d{1,15}$/.test(id)) throw notFound('document')
  return Number(id)
}

const TURNS = ['0', '90', '180', '270']
const ZOOMS = ['fit', '200', '400']

/** Zoom and turn without script: links that show the page with another class. */
function picture({ id }: DocumentRow, { query }: PageRequest): Value {
  const turn = TURNS.find((one) => one === query('turn')) ?? '0'
  const zoom = ZOOMS.find((one) => one === query('zoom')) ?? 'fit'
  const link = (
    change: { turn?: string; zoom?: string },
    label: string,
    isNow: boolean,
  ) => html`<a class="button"
 href="/identity/${id}?${new URLSearchParams({ turn, zoom, ...change }).toString()}"${isNow && html` aria-current="true"`}>${label}</a>`
  const next = TURNS[(TURNS.indexOf(turn) + 1) % TURNS.length] ?? '0'
  return html`<div class="row">${ZOOMS.map((one) =>
    link({ zoom: one }, one === 'fit' ? 'Fit' : `${one} %`, one === zoom),
  )}${link({ turn: next }, 'Turn', false)}</div>
<div class="picture zoom-${zoom}" tabindex="0" role="group" aria-label="Picture, scrollable"><img class="turn-${turn}" src="/identity/${id}/content" alt="Identity document"></div>`
}

export async function documentPage(request: PageRequest): Promise<Linked> {
  const document = await documentOf(request.db, idOf(request))
  const { id, userId, username, fullName, documentType, mime, createdAt } = document
  const decisions = !document.decidedAt && [
    actionLink(request, 'kyc accept', 'Accept…', id),
    actionLink(request, 'kyc reject', 'Reject…', id),
  ]
  const isPdf = mime === 'application/pdf'
  const content = isPdf
    ? html`<p><a href="/identity/${id}/content">Open the PDF</a></p>`
    : picture(document, request)
  const rows = facts([
    ['Member', memberLink(userId, username)],
    ['Name', fullName],
    ['Type', documentType],
    ['Submitted (UTC)', time(createdAt)],
    ['State', documentState(document)],
  ])
  return {
    title: `Document ${id}`,
    content: [
      section('Member and document', rows, decisions),
      !document.deletedAt && section(isPdf ? 'Document' : 'Picture', content),
    ],
  }
}

/** A stranger's picture is sandboxed. Browsers show no PDF in a sandbox; their viewers run outside of this origin. */
const PICTURE_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
const PDF_POLICY =
  "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** The view is logged before the document is shown. */
export async function documentContent(request: PageRequest): Promise<Linked> {
  const { db, config, operator } = request
  const id = idOf(request)
  return inTransaction(db, async (tx) => {
    const { userId: memberId, mime } = await documentOf(tx, id)
    const bytes = await readDocument(tx, config.dataKey, id)
    const who = { operator: operator.name, operatorId: operator.id }
    const entry = { ...who, action: 'kyc view', memberId, details: { document: id } }
    await recordAction(tx, { ...entry, reason: 'identity check', isUsual: true })
    return { bytes, mime, policy: mime === 'application/pdf' ? PDF_POLICY : PICTURE_POLICY }
  })
}
