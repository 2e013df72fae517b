import { claimLimits, type HeldEndpoint } from './claim-limits';

const held = (endpoint: string, claims: number, more: object = {}): HeldEndpoint =>
  ({
    endpointId: endpoint,
    workspaceId: 'ws_a',
    claims,
    isFailing: false,
    isFast: false,
    ...more,
  }) as unknown as HeldEndpoint;
const limitsOf = (...endpoints: HeldEndpoint[]) => Object.fromEntries(claimLimits(endpoints)!.ofHeld);

test('an endpoint gets fifty, and thrice as many while it answers fast', () => {
  expect(claimLimits([])).toMatchObject({ capacity: 1000, perEndpoint: 50, fullWorkspaces: [] });
  expect(limitsOf(held('wh_slow', 49), held('wh_slower', 50), held('wh_fast', 50, { isFast: true }))).toEqual(
    { wh_slow: 50, wh_slower: 0, wh_fast: 150 },
  );
  expect(limitsOf(held('wh_fast', 149, { isFast: true }))).toEqual({ wh_fast: 150 });
  expect(limitsOf(held('wh_fast', 150, { isFast: true }))).toEqual({ wh_fast: 0 });
});

test('one that fails gets one', () => {
  expect(limitsOf(held('wh_a', 1, { isFailing: true }))).toEqual({ wh_a: 0 });
});

test('where slow endpoints have taken all of a workspace, each of the others still gets a share', () => {
  const slow = ['wh_a', 'wh_b', 'wh_c', 'wh_d'].map((endpoint) => held(endpoint, 60));
  const all = [...slow, held('wh_served', 10), held('wh_healthy', 9)];
  expect(claimLimits(all)).toMatchObject({ perEndpoint: 50, fullWorkspaces: ['ws_a'] });
  expect(limitsOf(...all)).toEqual({
    ...{ wh_a: 0, wh_b: 0, wh_c: 0, wh_d: 0, wh_served: 0 },
    wh_healthy: 10,
  });
});

test('where all is taken, everybody still gets a share, twice as much in all at most', () => {
  const taken = (count: number) =>
    Array.from({ length: count }, (_, n) => held(`wh_${n}`, 100, { workspaceId: `ws_${n}` }));
  expect(claimLimits(taken(9))).toMatchObject({ capacity: 100, perEndpoint: 50, fullWorkspaces: [] });
  expect(claimLimits(taken(10))).toMatchObject({ capacity: 1000, perEndpoint: 10 });
  expect(claimLimits(taken(10))!.fullWorkspaces).toHaveLength(10);
  expect(limitsOf(...taken(10), held('wh_fast', 9, { isFast: true }))).toMatchObject({
    wh_0: 0,
    wh_fast: 10,
  });
  expect(claimLimits(taken(20))).toBeUndefined();
});
