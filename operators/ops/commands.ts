import type { OpsCommand } from '#operators/ops/command'
import { kycAccept, kycHistory, kycList, kycReject, kycShow } from '#operators/ops/identity/kyc'
import { reviewersAdd, reviewersList, reviewersRemove } from '#operators/ops/identity/reviewers'
import { keysRenew, keysStatus } from '#operators/ops/keys/keys'
import { redisClear } from '#operators/ops/keys/redis-clear'
import { codesFreeze, codesList, codesUnfreeze } from '#operators/ops/members/codes'
import { membersFreeze, membersUnfreeze } from '#operators/ops/members/freeze'
import { ledgerCorrect, ledgerShow } from '#operators/ops/members/ledger'
import { membersFind, membersShow } from '#operators/ops/members/members'
import { membersResetFactor } from '#operators/ops/members/reset-factor'
import { sessionsEnd, sessionsShow } from '#operators/ops/members/sessions'
import { signInsEnd } from '#operators/ops/members/sign-ins'
import { flagsFor, flagsList, flagsOff, flagsOn } from '#operators/ops/product/flags'
import { log } from '#operators/ops/product/log'
import { versionsList, versionsSet } from '#operators/ops/product/versions'
import { lag } from '#operators/ops/service/lag'
import { mailFailed, mailRetry, mailWaiting } from '#operators/ops/service/mail'
import { quarantineList, quarantineRelease } from '#operators/ops/service/quarantine'
import { queues, queuesFailed } from '#operators/ops/service/queues'
import { retentionStatus } from '#operators/ops/service/retention'
import { sealsList } from '#operators/ops/service/seals'
import { status } from '#operators/ops/service/status'

/** All commands, by the words that name them. */
export const OPS = {
  status,
  lag,
  queues,
  'queues failed': queuesFailed,
  'members find': membersFind,
  'members show': membersShow,
  'members freeze': membersFreeze,
  'members unfreeze': membersUnfreeze,
  'members reset-factor': membersResetFactor,
  'sign-ins end': signInsEnd,
  'sessions show': sessionsShow,
  'sessions end': sessionsEnd,
  'ledger show': ledgerShow,
  'ledger correct': ledgerCorrect,
  'codes list': codesList,
  'codes freeze': codesFreeze,
  'codes unfreeze': codesUnfreeze,
  'retention status': retentionStatus,
  'seals list': sealsList,
  'quarantine list': quarantineList,
  'quarantine release': quarantineRelease,
  'kyc list': kycList,
  'kyc history': kycHistory,
  'kyc show': kycShow,
  'kyc accept': kycAccept,
  'kyc reject': kycReject,
  'reviewers list': reviewersList,
  'reviewers add': reviewersAdd,
  'reviewers remove': reviewersRemove,
  'mail waiting': mailWaiting,
  'mail failed': mailFailed,
  'mail retry': mailRetry,
  'flags list': flagsList,
  'flags on': flagsOn,
  'flags off': flagsOff,
  'flags for': flagsFor,
  'versions list': versionsList,
  'versions set': versionsSet,
  'keys status': keysStatus,
  'keys renew': keysRenew,
  'redis clear': redisClear,
  log,
} satisfies Record<string, OpsCommand>

export type OpsName = keyof typeof OPS
