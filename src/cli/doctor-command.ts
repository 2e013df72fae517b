import type { Command } from 'commander';
import { readEnvironment } from '../platform/config/load-configuration';
import { examine } from './doctor/examine';
import type { Finding } from './doctor/finding';
import { print, visible } from './output';

const MARKS: Record<Finding['status'], string> = { ok: '✓', warning: '!', problem: '✗' };

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'Check the deployment and explain how to fix problems. Exits with 1 if there is one, and leaves no lasting changes',
    )
    .option('--json', 'print JSON: {"healthy": …, "findings": […]}')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(readEnvironment());
      const healthy = findings.every(({ status }) => status !== 'problem');
      print({ healthy, findings }, json, () => describe(findings));
      if (!healthy) process.exitCode = 1;
    });
}

function describe(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, status, message, remedy }) => {
    const line = `${MARKS[status]} ${check.padEnd(width)}  ${visible(message)}`;
    return remedy === undefined ? line : `${line}\n${' '.repeat(width + 4)}→ ${visible(remedy)}`;
  });
  const count = (status: Finding['status']) => findings.filter((finding) => finding.status === status).length;
  return [...lines, '', `Problems: ${count('problem')}. Warnings: ${count('warning')}.`].join('\n');
}
