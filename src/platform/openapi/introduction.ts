import { MAX_LIMIT, MAX_PAGE_BYTES } from '../../kernel/page';

/** The introduction of the API reference, in Markdown. */
export const introduction = `
The API that event planners and venues sell with. Everything is JSON, over HTTPS, under \`/v1\`.

**Authentication.** Send an API key with every request: \`Authorization: Bearer <API key>\`. A key opens one workspace, in one mode: live keys (\`gala_live_…\`) act on real data, test keys (\`gala_test_…\`) on a sandbox beside it; the two never meet. Each operation names the scope it requires, and [each event type](/docs/guides/webhooks#types) the scope that opens it. Live keys don’t belong in browsers, mobile apps or repositories.

**Errors** all look alike: \`error.code\` for programs, \`error.message\` for people, \`error.status\`, and \`error.requestId\` to quote when asking for help. On a 422 \`error.field\` is the first offending field, and \`error.details\` lists all. Unknown body fields and query parameters are refused with a 422, not ignored.

**Limits.** Each key has a number of reads (GET) and of writes (all else) a minute. Every answer says where it stands, in \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (Unix time). Over the limit the answer is a 429, with \`Retry-After\` in seconds.

**Lists** come in pages: \`page\` and \`limit\` (at most ${MAX_LIMIT}) choose one, \`pagination\` tells about the rest. To walk a long list, follow \`pagination.nextCursor\` with the parameter \`cursor\`. A page holds at most ${MAX_PAGE_BYTES / 1024 ** 2} MiB: of large items it has fewer than \`limit\`.

**Repeating requests.** Send every POST with an \`Idempotency-Key\`, a new random text for each new request. When the answer is lost, send the same again: within 24 hours it gets the first answer, with \`Idempotency-Replayed: true\`, and nothing happens twice. A refused request is not kept: mend it and use the same key.

**Changing what others change too.** An answer with one object carries its state as \`ETag\`. Send that as \`If-Match\` with a change, and the change happens only if the object is still as you saw it; otherwise the answer is a 422 with the field \`If-Match\`.

**Values.** Times are RFC 3339 in UTC, with milliseconds; calendar dates are \`YYYY-MM-DD\`. A field of an object without a value is \`null\`, never left out; an error has \`field\` and \`details\` on a 422 alone. Answers may gain fields: ignore those you don’t know.

A request over plain HTTP, where the service is reached over HTTPS, is answered with a 301 to the same path there.
`.trim();
