// Lines that are as wide as they may be already: drawn as they are, none wrapped and none lost.
import { Box, Text } from 'ink';

export function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, place) => (
        <Text key={place} wrap="truncate-end">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}
