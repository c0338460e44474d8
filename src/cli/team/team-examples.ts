// The teams that `continuo team init` writes. examples/teams holds the same (a test compares).

export const teamExamples = {
  review: {
    file: 'team.json',
    text: `{
  "id": "code-review",
  "name": "Code review",
  "description": "Two reviewers look at a change from two sides, and a writer sums up.",
  "members": [
    { "kind": "human", "id": "owner", "displayName": "You", "role": "Owns the change and decides" },
    {
      "kind": "model",
      "id": "correctness",
      "displayName": "Cora",
      "role": "Looks for what is wrong: logic, edge cases, races",
      "instructions": "Name the place and a case that fails. No remarks on style."
    },
    {
      "kind": "model",
      "id": "design",
      "displayName": "Dara",
      "role": "Looks at names, structure and tests",
      "instructions": "Say what a reader stumbles over, and what you would write instead."
    },
    {
      "kind": "model",
      "id": "writer",
      "displayName": "Wim",
      "role": "Sums up what must change before merging",
      "instructions": "A list, most important first. End with [NEXT: owner]."
    }
  ],
  "order": ["correctness", "design", "writer"],
  "limits": { "maxRounds": 3, "memberTimeoutSeconds": 300 }
}
`,
  },
  planning: {
    file: 'team.toml',
    text: `# A planner and a sceptic turn a wish into a plan; a program on this machine tries it out.
id = "planning"
name = "Planning"
instructions = "Keep every answer under 200 words."
order = ["planner", "sceptic"]

[[members]]
kind = "human"
id = "owner"
displayName = "You"
role = "Says what is wanted and decides"

[[members]]
kind = "model"
id = "planner"
displayName = "Pia"
role = "Cuts the work into steps that can be shown"
instructions = "When the plan is settled, write [TEAM_TASK: the goal in one sentence]."

[[members]]
kind = "model"
id = "sceptic"
displayName = "Sam"
role = "Asks what can go wrong and what can be left out"
instructions = "Hand back with [NEXT: planner] while something is open, else with [NEXT: owner]."

[[members]]
kind = "program"
id = "builder"
displayName = "Bo"
role = "Tries a step out in this folder when asked: [NEXT: builder]"
program = "claude"
timeoutSeconds = 1800

[limits]
maxRounds = 4
windowTokens = 16000
`,
  },
} as const;

export type TeamExampleName = keyof typeof teamExamples;
export const teamExampleNames = Object.keys(teamExamples) as TeamExampleName[];
