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

test('an endpoint gets fifty, and thrice as many while it answers fast', () => {
  const limits = claimLimits([
    held('wh_slow', 49),
    held('wh_slower', 50),
    held('wh_fast', 50, { isFast: true }),
  ])!;
  expect(limits).toMatchObject({ perEndpoint: 50, perFastEndpoint: 150, fastEndpoints: ['wh_fast'] });
  expect(limits.fullEndpoints).toEqual(['wh_slower']);
});

test('one that fails gets one', () => {
  expect(claimLimits([held('wh_a', 1, { isFailing: true })])!.fullEndpoints).toEqual(['wh_a']);
});

test('where slow endpoints have taken all of a workspace, each of the others still gets a share', () => {
  const slow = ['wh_a', 'wh_b', 'wh_c', 'wh_d'].map((endpoint) => held(endpoint, 60));
  const limits = claimLimits([...slow, held('wh_served', 10), held('wh_healthy', 9)])!;
  expect(limits).toMatchObject({ fullWorkspaces: ['ws_a'], share: 10 });
  expect(limits.fullEndpoints).toEqual(['wh_a', 'wh_b', 'wh_c', 'wh_d', 'wh_served']);
});

test('where all is taken, everybody still gets a share, twice as much in all at most', () => {
  const taken = (count: number) =>
    Array.from({ length: count }, (_, n) => held(`wh_${n}`, 100, { workspaceId: `ws_${n}` }));
  expect(claimLimits(taken(9))).toMatchObject({ capacity: 100, perEndpoint: 50, fullWorkspaces: [] });
  expect(claimLimits(taken(10))).toMatchObject({ capacity: 1000, perEndpoint: 10, perFastEndpoint: 10 });
  expect(claimLimits(taken(10))!.fullWorkspaces).toHaveLength(10);
  expect(claimLimits(taken(20))).toBeUndefined();
});
