/** A default of the specification; null when it gives none. */
export type Default = string | number | boolean | null

/** Columns with those defaults that the specification gives. */
const columns = (names: string, defaults: Record<string, Default> = {}) => ({
  ...Object.fromEntries(names.split(' ').map((name) => [name, null])),
  ...defaults,
})

/** The stored records of the specification (§3), each column with its default. */
export const TABLES: Record<string, Record<string, Default>> = {
  app_versions: columns('id version minRequiredVersion description config', {
    releaseDate: 'now()',
    isActive: true,
  }),
  feature_flags: columns(
    'id name displayName description enabledForUsers requiredVersion createdAt updatedAt',
    { enabled: false },
  ),
  users: columns(
    'id username password email phone fullName avatar kycDocumentType kycDocumentUrl ' +
      'kycVerifiedAt referralCode referredBy createdAt',
    { kycStatus: 'unverified', miningBoost: 0, teamSize: 0, teamLevel: 0 },
  ),
  wallets: columns('id userId name createdAt', { balance: 0, usdtBalance: 0 }),
  mining_sessions: columns('id userId startTime endTime lastRewardTime reward description', {
    active: true,
    hashRate: 0.01,
    aiOptimization: 35,
    networkOptimizationLevel: 35,
    rewardClaimed: false,
    status: 'active',
  }),
  mining_stats: columns('id userId lastClaimTime createdAt updatedAt', {
    neuralLinks: 4616,
    dataProcessed: 26.97,
    networkPower: 16.9,
    totalMined: 0,
    pendingRewards: 0,
    pendingUsdtRewards: 0,
  }),
  referral_rewards: columns('id userId referredUserId level rewardPercentage createdAt'),
  usdt_rewards: columns('id userId amount reason teamSize createdAt'),
  team_milestones: columns('id userId milestone rewardAmount achievedAt createdAt', {
    achieved: false,
  }),
  wallet_activity: columns(
    'id userId walletId type amount tokenType description createdAt balanceAfter',
  ),
  completed_tasks: columns('id userId taskId completedAt rewardAmount', { rewardType: 'TESP' }),
}
