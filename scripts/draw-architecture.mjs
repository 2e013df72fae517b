// Draws the actual dependencies between the modules of src into docs/architecture.md (Mermaid, which GitHub and most
// editors show). With --check it reports whether the drawing is up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise } from 'dependency-cruiser';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = join(root, 'docs/architecture.md');
const BEGIN = '<!-- drawn by `npm run architecture` -->\n';
const END = '<!-- end of the drawing -->\n';

/** The module or layer that a file belongs to; undefined for files that aren't drawn. */
function roomOf(path) {
  const [, top, module] = /^src\/([^/]+)(?:\/([^/]+))?/.exec(path) ?? [];
  if (top === 'modules') return module;
  if (top === 'kernel' || top === 'platform' || top === 'cli') return top;
  return top && 'service';
}

async function dependencies() {
  const { output } = await cruise(
    ['src'],
    {
      baseDir: root,
      exclude: { path: '\\.spec\\.tsx?$' },
      doNotFollow: { path: 'node_modules' },
      tsPreCompilationDeps: true,
    },
    { exportsFields: ['exports'] },
  );
  const graph = new Map();
  for (const { source, dependencies: targets } of output.modules) {
    const from = roomOf(source);
    if (!from) continue;
    const known = graph.get(from) ?? new Set();
    for (const { resolved } of targets) {
      const to = roomOf(relative('.', resolved));
      if (to && to !== from) known.add(to);
    }
    graph.set(from, known);
  }
  return graph;
}

/** Omits dependencies that exist indirectly as well. */
function essential(graph) {
  const reachable = (from, seen = new Set()) => {
    for (const to of graph.get(from) ?? []) {
      if (!seen.has(to)) reachable(to, seen.add(to));
    }
    return seen;
  };
  return [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reachable(other).has(to)))
      .map((to) => [from, to]),
  );
}

function draw(graph) {
  const rooms = [
    ...new Set([...graph.keys(), ...[...graph.values()].flatMap((targets) => [...targets])]),
  ].sort();
  const apart = ['cli', 'service', 'platform', 'kernel'];
  const id = (room) => room.replaceAll('-', '_');
  const box = (room) => `${id(room)}["${room.replaceAll('-', ' ')}"]`;
  const edges = essential(graph).map(([from, to]) => `  ${id(from)} --> ${id(to)}`);
  return [
    '```mermaid',
    'flowchart TD',
    `  ${box('cli')}`,
    `  ${box('service')}`,
    '  subgraph modules',
    ...rooms.filter((room) => !apart.includes(room)).map((room) => `    ${box(room)}`),
    '  end',
    `  ${box('platform')}`,
    `  ${box('kernel')}`,
    ...edges.sort(),
    '```',
    '',
  ].join('\n');
}

const text = readFileSync(page, 'utf8');
const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
if (begin < 0 || end < begin)
  throw new Error(`docs/architecture.md has no place for the drawing between ${BEGIN} and ${END}`);
const drawn = `${text.slice(0, begin + BEGIN.length)}\n${draw(await dependencies())}\n${text.slice(end)}`;
if (!process.argv.includes('--check')) writeFileSync(page, drawn);
else if (drawn !== text) {
  console.error('The drawing in docs/architecture.md is out of date: run `npm run architecture`.');
  process.exitCode = 1;
}
