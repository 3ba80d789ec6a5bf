-- Written by hot-statements.test.ts (-u) to be read; the product does not read it.
select u.id as "memberId", u."authEpoch", w.id as "walletId", w.name as "walletName", w.balance,
  w."usdtBalance", u."miningBoost", m."pendingRewards", m."pendingUsdtRewards", m."lastClaimTime", s.session, 
(select date_trunc('milliseconds', "productAnchor" + (clock_timestamp() - "realAnchor") * speed)
  from product_clock) as now,
(select speed from product_clock) as speed,
(extract(epoch from statement_timestamp()) * 1000)::float8 as "asOf"
from users u
join wallets w on w.bucket = :bucket and w."userId" = u.id
join mining_stats m on m.bucket = :bucket and m."userId" = u.id
left join lateral (
  select 
json_build_object('id', s.id, 'status', s.status, 'hashRate', s."hashRate"::text,
  'reward', s.reward::text, 'creditedIntervals', s."creditedIntervals",
  'lastRewardAmount', s."lastRewardAmount"::text, 'tespAccrued', s."tespAccrued"::text,
  'startTime', (extract(epoch from s."startTime") * 1000)::float8, 'rateSince', (extract(epoch from s."rateSince") * 1000)::float8,
  'creditedAt', (extract(epoch from s."creditedAt") * 1000)::float8) as session
  from mining_sessions s where s.bucket = :bucket and s."userId" = u.id
  order by s.id desc limit 1
) s on true
where u.id = :id
