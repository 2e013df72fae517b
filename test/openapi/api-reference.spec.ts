import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
beforeAll(async () => void (gala = await startGala()));
afterAll(() => gala.stop());

describe('the API reference at /docs', () => {
  test('is a page for anyone, that may load nothing from elsewhere, hold no inline script and be in no frame', async () => {
    const page = await gala.anonymous.get('/docs');
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const policy = page.headers['content-security-policy'] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(page.text).not.toMatch(/<script>|<style>| style=| on\w+=|(src|href)="(https?:)?\/\//);
  });

  test('finds everything it refers to', async () => {
    const { text } = await gala.anonymous.get('/docs');
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(4);
    for (const address of new Set(addresses)) {
      const { pathname } = new URL(address, 'http://gala.example/docs');
      expect((await gala.anonymous.get(pathname)).status).toBe(200);
    }
  });

  test('is found with a slash behind it too', async () => {
    const answer = await gala.anonymous.get('/docs/');
    expect(answer.status).toBe(301);
    expect(new URL(answer.headers.location!, 'http://gala.example/docs/').pathname).toBe('/docs');
  });

  test('serves no other file of the package it is made with', async () => {
    for (const path of [
      '/docs/package.json',
      '/docs/index.html',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
    ]) {
      expect((await gala.anonymous.get(path)).status).toBe(404);
    }
  });

  test('takes no other method than GET and HEAD', async () => {
    expect((await gala.anonymous.request('HEAD', '/docs')).status).toBe(200);
    expect((await gala.anonymous.post('/docs')).status).toBe(404);
  });
});
