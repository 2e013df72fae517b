/** Checks each folder named by the arguments against the walls and prints, as JSON, which rules were broken in it. */
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const [configuration, ...folders] = process.argv.slice(2);
const options = await extractDepcruiseOptions(configuration);
const broken = {};
for (const folder of folders) {
  const { output } = await cruise(['src', 'migrations', 'ormconfig.ts'], { ...options, baseDir: folder });
  broken[folder] = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
}
process.stdout.write(JSON.stringify(broken));
