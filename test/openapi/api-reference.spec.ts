import { GUIDES } from '../../src/platform/openapi/guides';
import { startGala, type TestGala } from '../support/start-gala';

let gala: TestGala;
beforeAll(async () => void (gala = await startGala()));
afterAll(() => gala.stop());

/** Where a page's links lead, as a browser works them out. */
function addressesIn(text: string, path: string): string[] {
  const addresses = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
  const urls = addresses.map((address) => new URL(address, `http://gala.example${path}`));
  return [...new Set(urls.filter(({ host }) => host === 'gala.example').map(({ pathname }) => pathname))];
}

describe('the guides', () => {
  test.each(Object.entries(GUIDES))(
    '%s is a page like the reference, and finds all it refers to',
    async (name, title) => {
      const path = `/docs/guides/${name}`;
      const page = await gala.anonymous.get(path);
      expect(page.status).toBe(200);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      expect(page.text).toContain(`<title>${title} · Gala</title>`);
      expect(page.text).toContain(`<h1>${title}</h1>`);
      expect(page.text).not.toMatch(/<script|<style| style=| on\w+=/);
      const addresses = addressesIn(page.text, path);
      expect(addresses).toEqual(
        expect.arrayContaining(Object.keys(GUIDES).map((each) => `/docs/guides/${each}`)),
      );
      for (const address of addresses)
        expect([address, (await gala.anonymous.get(address)).status]).toEqual([address, 200]);
    },
  );

  test('begin with the first, and there are no others', async () => {
    for (const path of ['/docs/guides', '/docs/guides/']) {
      const { status, headers } = await gala.anonymous.get(path);
      expect(status).toBe(302);
      expect(new URL(headers.location!, `http://gala.example${path}`).pathname).toBe(
        '/docs/guides/first-lead',
      );
    }
    for (const name of ['nothing', 'errors.md', '..%2f..%2fREADME', 'toString']) {
      expect((await gala.anonymous.get(`/docs/guides/${name}`)).status).toBe(404);
    }
  });
});

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

  test('gives its files whole, whatever part of them is asked for', async () => {
    const headers = { Range: 'bytes=99999999-' };
    expect((await gala.anonymous.get('/docs/swagger-ui.css', { headers })).status).toBe(200);
  });

  test('takes no other method than GET and HEAD', async () => {
    expect((await gala.anonymous.request('HEAD', '/docs')).status).toBe(200);
    expect((await gala.anonymous.post('/docs')).status).toBe(404);
  });
});
