import { url, wholeNumber } from './parsers.ts'
import type { SettingTable } from './setting.ts'

const count = wholeNumber(1, 1_000_000)
const page = url('https:', 'http:')

/** Limits of sign-ins, retention of data, and pages of tasks. */
export const MEMBER_SETTINGS = {
  OTP_PER_EMAIL_HOUR: {
    field: 'otpPerEmailHour',
    parse: count,
    default: '5',
    doc: 'Codes an hour for one e-mail address.',
  },
  OTP_PER_ADDRESS_HOUR: {
    field: 'otpPerAddressHour',
    parse: count,
    default: '300',
    doc: 'Codes an hour for one IP address.',
  },
  LOGIN_FAILURES_PER_ACCOUNT: {
    field: 'loginFailuresPerAccount',
    parse: count,
    default: '10',
    doc: 'Failed sign-ins in 15 minutes for one account from one IP address.',
  },
  LOGIN_FAILURES_PER_ADDRESS: {
    field: 'loginFailuresPerAddress',
    parse: count,
    default: '300',
    doc: 'Failed sign-ins in 15 minutes from one IP address.',
  },
  LOGIN_FAILURES_BEFORE_CODE: {
    field: 'loginFailuresBeforeCode',
    parse: count,
    default: '20',
    doc: 'Failed sign-ins an hour for one account over all IP addresses, after which unknown browsers need a code by e-mail too.',
  },
  KYC_RETENTION_DAYS: {
    field: 'kycRetentionDays',
    parse: wholeNumber(0, 36_500),
    default: '30',
    doc: 'Days after the decision for which identity documents are kept; 0 deletes them immediately.',
  },
  LEDGER_DETAIL_DAYS: {
    field: 'ledgerDetailDays',
    parse: wholeNumber(1, 36_500),
    default: '7',
    doc: 'Days for which each automatic credit has its own ledger row; then those of a session and UTC day are rolled up to one.',
  },
  SESSION_DETAIL_DAYS: {
    field: 'sessionDetailDays',
    parse: wholeNumber(1, 36_500),
    default: '90',
    doc: 'Days for which each ended session has its own row; then it is part of the totals of its member. At least 31 more than `LEDGER_DETAIL_DAYS` apply.',
  },
  TASK_TWITTER_URL: {
    field: 'taskTwitterUrl',
    parse: page,
    default: 'https://twitter.com/',
    doc: 'Page that the task `follow_twitter` links to.',
  },
  TASK_TELEGRAM_URL: {
    field: 'taskTelegramUrl',
    parse: page,
    default: 'https://telegram.org/',
    doc: 'Page that the task `join_telegram` links to.',
  },
} as const satisfies SettingTable
