package match

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"time"

	"goalproof/engine/aei"
)

// process is a running program with its session.
type process struct {
	*aei.Client
	cmd    *exec.Cmd
	in     *os.File
	out    *os.File
	errors tail
	exited chan struct{} // closed when the process has exited
}

// exitTime is how long a process may take to exit after quit, and how long its children may then
// keep its output open.
const exitTime = time.Second

// startProcess starts a program.
func startProcess(args []string) (*process, error) {
	stdin, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, stdout, err := os.Pipe()
	if err != nil {
		stdin.Close()
		in.Close()
		return nil, err
	}
	p := &process{cmd: exec.Command(args[0], args[1:]...), in: in, out: out, exited: make(chan struct{})}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, &p.errors
	p.cmd.WaitDelay = exitTime / 2 // a child that keeps standard error open must not delay Wait
	setGroup(p.cmd)
	err = p.cmd.Start()
	stdin.Close()
	stdout.Close()
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	go func() {
		_ = p.cmd.Wait() // ProcessState says how it ended
		close(p.exited)
		_ = out.SetReadDeadline(time.Now().Add(exitTime))
	}()
	p.Client = aei.NewClient(out, in)
	return p, nil
}

// exits reports whether the process exits within exitTime.
func (p *process) exits() bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(exitTime):
		return false
	}
}

// close ends the process, by force if it ignores quit.
func (p *process) close() {
	p.Client.Close()
	p.in.Close()
	p.exits()
	killGroup(p.cmd)
	<-p.exited
	p.out.Close()
}

// exitStatus describes how a process that has closed its output exited, with its last line on
// standard error.
func (p *process) exitStatus() string {
	if !p.exits() {
		return "it has closed its output"
	}
	if last := p.errors.last(); last != "" {
		return fmt.Sprintf("%v, %.200q", p.cmd.ProcessState, last)
	}
	return p.cmd.ProcessState.String()
}

// tail keeps the end of the text written to it. It may be read after the last write.
type tail struct{ text []byte }

const maxTail = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(b), nil
}

// last returns the last line.
func (t *tail) last() string {
	text := bytes.TrimSpace(t.text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
