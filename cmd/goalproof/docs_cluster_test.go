package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"goalproof/internal/testkit/require"

	"github.com/spf13/cobra"

	"goalproof/cmd/internal/cli"
)

// clusterFiles are the files with which workers are started, by their names.
func clusterFiles(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/cluster/*")
	require.NoError(t, err)
	all := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		all[filepath.Base(path)] = string(text)
	}
	for _, name := range []string{"worker.sh", "worker.sbatch", "goalproof-serve.service", "goalproof-worker.service", "worker.yaml"} {
		if all[name] == "" {
			t.Errorf("%s is missing or empty", name)
		}
	}
	if len(all) != 5 {
		t.Errorf("%d files, of which this test knows 5", len(all))
	}
	return all
}

// TestClusterCommands parses each command line of goalproof in the files of docs/cluster, in
// docs/cluster.md and in the topic: the command, its flags and their values, without running it.
func TestClusterCommands(t *testing.T) {
	texts := clusterFiles(t)
	page, err := os.ReadFile("../../docs/cluster.md")
	require.NoError(t, err)
	texts["cluster.md"] = string(page)
	topic, _, err := rootCommand(cli.Terminal{}).Find([]string{"clusters"})
	require.NoError(t, err)
	texts["the topic"] = topic.Long
	// At the beginning of a line, behind a prompt, or started by a shell or by systemd.
	line := regexp.MustCompile(`(?m)^(?:  +|.*\$ |exec |ExecStart=\S*/|.*"\.goalproof/)goalproof ([a-z].*)$`)
	for name, text := range texts {
		found := line.FindAllStringSubmatch(text, -1)
		if name == "worker.yaml" {
			args := regexp.MustCompile(`args: \[(.*)\]`).FindStringSubmatch(text)
			if args == nil {
				t.Fatal("worker.yaml has no arguments")
			}
			found = append(found, []string{"", strings.ReplaceAll(strings.ReplaceAll(args[1], `", "`, " "), `"`, "")})
		}
		if len(found) == 0 {
			t.Errorf("%s has no command line", name)
		}
		for _, m := range found {
			if err := parses(m[1]); err != nil {
				t.Errorf("%s: %s: %v", name, m[0], err)
			}
		}
	}
}

// parses returns an error if the program does not take a command line, as far as its flags go. What
// follows a redirection, or two spaces, is no part of it.
func parses(line string) error {
	line = regexp.MustCompile(` > | \| |  |" <`).Split(line, 2)[0]
	line = strings.ReplaceAll(line, `"$SLURM_CPUS_PER_TASK"`, "4")
	args := words(strings.ReplaceAll(line, `"`, ""))
	if args[0] == "help" {
		args = args[1:]
	}
	cmd, rest, err := rootCommand(cli.Terminal{}).Find(args)
	if err != nil {
		return err
	}
	if !cmd.Runnable() && !cmd.IsAdditionalHelpTopicCommand() {
		return fmt.Errorf("%q is no command", args)
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return err })
	if err := cmd.ParseFlags(rest); err != nil || cmd.Args == nil {
		return err
	}
	return cmd.Args(cmd, cmd.Flags().Args())
}

// TestClusterScripts has bash parse the scripts, and checks that Slurm sees all its lines: they stand
// before the first command.
func TestClusterScripts(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skipf("the scripts are not read: %v", err)
	}
	all := clusterFiles(t)
	for _, name := range []string{"worker.sh", "worker.sbatch"} {
		cmd := exec.CommandContext(t.Context(), bash, "-n")
		cmd.Stdin = strings.NewReader(all[name])
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	options, began := 0, false
	for line := range strings.Lines(all["worker.sbatch"]) {
		switch option := strings.HasPrefix(line, "#SBATCH"); {
		case option && (began || !regexp.MustCompile(`^#SBATCH --(job-name|array|cpus-per-task|mem|time|signal|requeue)(=[\w.:@-]+)?\n$`).MatchString(line)):
			t.Errorf("worker.sbatch: Slurm would not read %s", line)
		case option:
			options++
		case !strings.HasPrefix(line, "#"):
			began = true
		}
	}
	if options < 5 {
		t.Errorf("worker.sbatch has %d lines for Slurm", options)
	}
}

// TestClusterUnits parses the units of systemd, and has systemd itself do so where it is installed.
func TestClusterUnits(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	const program = "/usr/local/bin/goalproof"
	for name, text := range clusterFiles(t) {
		if filepath.Ext(name) != ".service" {
			continue
		}
		section := ""
		seen := map[string]bool{}
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			key, value, isPair := strings.Cut(line, "=")
			switch {
			case line == "" || line[0] == '#':
			case regexp.MustCompile(`^\[(Unit|Service|Install)\]$`).MatchString(line):
				section = line
			case !isPair || section == "" || value == "" || !regexp.MustCompile(`^[A-Z]\w+$`).MatchString(key) || seen[section+key]:
				t.Errorf("%s: %s is no setting", name, line)
			default:
				seen[section+key] = true
			}
		}
		if !seen["[Service]ExecStart"] || !seen["[Service]Restart"] || !seen["[Install]WantedBy"] || !strings.Contains(text, "ExecStart="+program+" ") {
			t.Errorf("%s lacks what a service needs", name)
		}
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(text, program, exe, 1)), 0o644))
		if systemd, err := exec.LookPath("systemd-analyze"); err != nil {
			t.Logf("%s: systemd has not read it: %v", name, err)
		} else if out, err := exec.CommandContext(t.Context(), systemd, "verify", path).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestClusterKubernetes reads the deployment of workers, and follows what it refers to.
func TestClusterKubernetes(t *testing.T) {
	values, err := readYAML(strings.NewReader(clusterFiles(t)["worker.yaml"]))
	require.NoError(t, err)
	spec := "spec.template.spec."
	for path, want := range map[string]string{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"spec.template.metadata.labels.app":           values["spec.selector.matchLabels.app"],
		spec + "containers.0.command":                 `["/goalproof"]`,
		spec + "containers.0.env.0.name":              "CLUSTER",
		spec + "containers.0.volumeMounts.0.name":     values[spec+"volumes.0.name"],
		spec + "containers.0.volumeMounts.1.name":     values[spec+"volumes.1.name"],
		spec + "volumes.0.secret.items.0.path":        "key",
		spec + "volumes.0.secret.secretName":          values[spec+"containers.0.env.0.valueFrom.secretKeyRef.name"],
		spec + "containers.0.env.1.value":             values[spec+"containers.0.volumeMounts.1.mountPath"],
		spec + "containers.0.resources.limits.memory": values[spec+"containers.0.resources.requests.memory"],
	} {
		if got, is := values[path]; !is || got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if !strings.Contains(values[spec+"containers.0.args"], `"$(CLUSTER)", "--key", "`+values[spec+"containers.0.volumeMounts.0.mountPath"]+`/key"`) {
		t.Errorf("arguments: %s", values[spec+"containers.0.args"])
	}
}

// readYAML reads the plain part of YAML that our file keeps to: mappings and lists in blocks, two
// spaces deep each, and scalars of one line. It returns the scalars by their paths.
func readYAML(r io.Reader) (map[string]string, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	var path []string          // one part for each two spaces of indentation
	counts := map[string]int{} // items of lists
	entry := regexp.MustCompile(`^((?:  )*)(- )?([A-Za-z]+):(?: ("[^"]*"|\["[^\]]*"\]|\{\}|[^\s"'\[{&*!|>%@#][^#]*))?$`)
	parent := func(depth int) string { return strings.Join(path[:depth], ".") }
	for n, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		m := entry.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("line %d: %q", n+1, line)
		}
		depth := len(m[1]) / 2
		if depth > len(path) || len(path) > 0 && depth == len(path) && values[parent(depth)] != "" {
			return nil, fmt.Errorf("line %d: too deep: %q", n+1, line)
		}
		if m[2] != "" { // an item, whose keys stand two columns further
			item := fmt.Sprint(counts[parent(depth)])
			counts[parent(depth)]++
			path = append(slices.Clone(path[:depth]), item)
			depth++
		}
		path = append(slices.Clone(path[:depth]), m[3])
		key := strings.Join(path, ".")
		if _, twice := values[key]; twice {
			return nil, fmt.Errorf("line %d: %s is there twice", n+1, key)
		}
		values[key] = m[4]
		if len(m[4]) > 1 && m[4][0] == '"' {
			values[key] = m[4][1 : len(m[4])-1]
		}
	}
	return values, nil
}
